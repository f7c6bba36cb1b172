"""Running commands: what they take, and whether they make the same records."""

import json
import os
import statistics
import subprocess
import sys
import time

from common import DATA, SINK, say

RECORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "records.py")


class ToolFailure(Exception):
    """A tool ended with another status than 0."""


def measure(command, stdout=SINK, piped=None):
    """Runs a command: its wall time and its processor time in seconds, its peak memory in MB.

    With `piped`, that file comes to its standard input through a pipe. Linux counts the memory of the process that
    starts a command as a command's own, so this process stays small: data are made, and records compared, by others.
    What is below this process's own size (about 18 MB) cannot be told.
    """
    words = [str(word) for word in command]
    with open(stdout, "wb") as target:
        start = time.perf_counter()
        source = subprocess.Popen(["cat", str(piped)], stdout=subprocess.PIPE) if piped else None
        child = subprocess.Popen(
            words, stdin=source.stdout if source else subprocess.DEVNULL, stdout=target, stderr=subprocess.PIPE)
        if source:
            source.stdout.close()
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
    if source:
        source.wait()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise ToolFailure(f"{words[0]} ended with {child.returncode}: {said.decode(errors='replace')[-400:].strip()}")
    unit = 1e6 if sys.platform == "darwin" else 1e6 / 1024
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def in_turn(tools, source, rounds):
    """The medians of each tool: A B C, A B C, …, so that what else the machine does falls on all of them.

    Slow tools take part in the first round only.
    """
    taken = {tool.name: [] for tool in tools}
    for index in range(rounds):
        for tool in tools:
            if index == 0 or not tool.is_slow:
                taken[tool.name].append(measure(tool.command(source, SINK)))
    return {name: tuple(statistics.median(column) for column in zip(*runs)) for name, runs in taken.items()}


def check(bench, kind, tools, source, stride, with_slow=True):
    """Runs every tool once; whether all of them made the records that the first one, the project's, made.

    A peer that fails is left out: it may be another version than the ones that this was written with. Slow tools
    may be left to the check of small files.
    """
    same = True
    made, expected = DATA / "made", DATA / "expected"
    expected.unlink(missing_ok=True)
    for tool in tools:
        if tool.only_reads or (tool.is_slow and not with_slow):
            continue
        made.unlink(missing_ok=True)
        try:
            measure(tool.command(source, made), SINK if tool.writes_file else made)
        except ToolFailure as failure:
            if tool is tools[0]:
                raise SystemExit(str(failure))
            say(f"  {tool.name} cannot do this and is left out: {failure}")
            bench.broken.add((kind, tool.name))
            continue
        result = subprocess.run(
            [sys.executable, RECORDS, kind, str(made), str(stride), str(expected)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            same = False
            say(f"  DIFFERS: {tool.name}: its output cannot be read as records: {result.stderr.strip()[-200:]}")
            continue
        digest = json.loads(result.stdout)
        if tool is tools[0]:
            total = "" if digest["sum"] is None else f", sum {digest['sum']}"
            say(f"  {os.path.basename(source)}: {tool.name} made {digest['records']} records{total}")
        elif digest["difference"]:
            same = False
            say(f"  DIFFERS: {tool.name}: {digest['difference']}")
        else:
            say(f"  same: {tool.name}")
    made.unlink(missing_ok=True)
    expected.unlink(missing_ok=True)
    return same
