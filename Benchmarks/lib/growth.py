"""Memory and time as the input grows, from files and from a pipe."""

import os
import statistics

from common import SINK, say, size_of, table
from data import data_file
from measuring import ToolFailure, measure
from tools import Tool

# Records of about 50 MB; the larger files hold them ten times and a hundred times.
UNITS = {"quotes": 482_000, "cafes": 106_000}
PEERS = ("Rust csv, 1 thread", "polars", "DuckDB")


def growth(bench, options):
    copies = (1, 10, 100) if options.huge else (1, 10)
    for kind, title in (("quotes", "CSV to NDJSON"), ("cafes", "one JSON array to CSV")):
        paths = [data_file(kind, max(round(UNITS[kind] * options.scale), 100), count) for count in copies]
        tools = bench.quotes_tools() if kind == "quotes" else bench.cafes_tools(with_slow=False)
        lines = [("odctl", tools[0], False), ("odctl, from a pipe", from_standard_input(tools[0]), True)]
        lines += [(tool.name, tool, False) for tool in tools if tool.name in PEERS]
        rows = [[name] + cells(tool, paths, is_piped) for name, tool, is_piped in lines]
        heads = [""] + [f"{size_of(path)}: {what}" for path in paths for what in ("peak MB", "s/GB")]
        table(f"As the input grows: {title}", heads, rows)


def from_standard_input(tool):
    return Tool(tool.name, ["-" if word == "{in}" else word for word in tool.words])


def cells(tool, paths, is_piped):
    """Memory and seconds a gigabyte at each size; nothing once ten times as much would not fit into half the memory."""
    made, memory = [], 0
    for path in paths:
        if memory * 10 > memory_of_machine() / 2:
            made += ["", ""]
            continue
        read(path)
        try:
            wall, memory = taken(tool, path, is_piped)
        except ToolFailure as failure:
            say(f"  {tool.name} with {path.name}: {failure}")
            made += ["failed", ""]
            continue
        made += [f"{memory:.0f}", f"{wall / path.stat().st_size * 1e9:.2f}"]
    return made


def taken(tool, path, is_piped):
    """Wall time and peak memory: the median of five runs and the largest where a run takes less than a second."""
    runs = []
    while not runs or len(runs) < 5 and runs[0][0] < 1:
        runs.append(measure(tool.command(path, SINK), piped=path if is_piped else None))
    return statistics.median(run[0] for run in runs), max(run[2] for run in runs)


def read(path):
    """Has the system keep a file in memory, which making the larger ones may have cost it."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 18):
            pass


def memory_of_machine():
    """In MB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e6
