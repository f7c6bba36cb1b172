"""A fetch over HTTP from this machine, beside curl and Miller on the same bytes."""

import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys

from common import DATA, ROOT, say, table
from data import data_file
from measuring import check, measure
from tools import Tool

ADDRESS = "www.twse.com.tw/exchangeReport/STOCK_DAY_ALL"
SIMULATOR = ROOT.parent / "shared" / "tools" / "simulator.py"
DAY = 1300
# Where runs of odctl would wait for each other, as they must at the exchange; emptied before each run.
CACHE = DATA / "cache"


@contextlib.contextmanager
def serving(command):
    """Runs a server, and hands out its address, of which it tells in the first line that it prints."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        said = server.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        if not address:
            raise SystemExit(f"{command[1]} said '{said.strip()}' in place of its address")
        yield address[0] + "/"
    finally:
        server.terminate()
        server.wait()


def simulator():
    """The exchange as recorded, without its ban."""
    return serving([sys.executable, SIMULATOR, "--port", "0", "--knob", "ban_after=1000000"])


def files(path):
    """Python's server of files, with that file in the place of the quotes."""
    folder = DATA / "served"
    served = folder / ADDRESS
    served.parent.mkdir(parents=True, exist_ok=True)
    served.unlink(missing_ok=True)
    os.link(path, served)
    return serving([sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder])


def servers(records):
    """What is served: a day of quotes, and as much as a download may be."""
    if SIMULATOR.exists():
        yield "a day of quotes, as recorded", simulator
    else:
        yield f"a day of quotes, {DAY:,} records", lambda: files(data_file("quotes", DAY))
    yield f"{records:,} quotes", lambda: files(data_file("quotes", records))


def pair(bench, address):
    fetch = [bench.odctl, "fetch", "twse.stock_day_all", "--format", "json", "--rewrite", f"https://={address}",
             "--cache", str(CACHE)]
    pipeline = f"curl -s '{address}{ADDRESS}?response=open_data' | mlr --icsv --ojson cat"
    return [Tool("odctl fetch", fetch), Tool("curl to Miller", ["sh", "-c", pipeline])]


def measure_alone(tool):
    """Runs a tool as if the exchange had not been asked for long."""
    shutil.rmtree(CACHE, ignore_errors=True)
    return measure(tool.command("", ""))


def is_possible(bench):
    if bench.has("mlr") and bench.has("curl"):
        return True
    say("without curl and Miller there is nothing to compare a fetch with")
    return False


def check_loopback(bench, records):
    """Whether both make the same records of what is served."""
    if not is_possible(bench):
        return True
    same = True
    for title, serve in servers(records):
        shutil.rmtree(CACHE, ignore_errors=True)
        with serve() as address:
            same = check(bench, "quotes", pair(bench, address), title, 1) and same
    return same


def loopback(bench, options):
    """A pair in turn, again and again; the ratio is the median of the pairs' ratios."""
    if not is_possible(bench):
        return
    rows, rounds = [], max(options.rounds, 3) * 3
    for title, serve in servers(min(options.records, 200_000)):
        with serve() as address:
            tools = pair(bench, address)
            runs = [[measure_alone(tool) for tool in tools] for _ in range(rounds)]
        ratio = statistics.median(theirs[0] / ours[0] for ours, theirs in runs)
        for tool, taken in zip(tools, zip(*runs)):
            wall, busy, memory = (statistics.median(column) for column in zip(*taken))
            rows.append([f"{title}: {tool.name}", f"{wall * 1000:.0f}", f"{busy * 1000:.0f}", f"{memory:.0f}",
                         f"{ratio:.2f}" if tool is tools[1] else "1.00"])
    table(f"From a server on this machine to a JSON array, {rounds} pairs",
          ["", "ms", "processor ms", "peak MB", "time ÷ odctl's"], rows)
