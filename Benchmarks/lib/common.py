"""Where things lie, and how this benchmark talks."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent
DATA = HERE / "data"
PEERS = HERE / "peers"
SINK = os.devnull


def say(text):
    """Tells people how far it is; what is measured goes to standard output."""
    print(text, file=sys.stderr, flush=True)


def first_line(command):
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return (result.stdout.strip().splitlines() or ["?"])[0]


def table(title, heads, rows, note=None):
    print(f"\n### {title}\n")
    print("| " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    if note:
        print("\n" + note)
    sys.stdout.flush()


def size_of(path):
    """A file's size, for people."""
    size = path.stat().st_size / 1e6
    return f"{size:.0f} MB" if size >= 10 else f"{size:.1f} MB"
