"""How long the tools take to do nothing."""

import os
import sys

from common import SINK, table
from measuring import in_turn
from tools import Tool

SYSTEM_PYTHON = "/usr/bin/python3"


def starting(bench, options):
    python = SYSTEM_PYTHON if os.path.exists(SYSTEM_PYTHON) else sys.executable
    tools = [Tool("odctl list", [bench.odctl, "list"]), Tool("odctl --version", [bench.odctl, "--version"]),
             Tool(f"{python} -c pass", [python, "-c", "pass"])]
    tools += [Tool(f"python3 -c 'import {name}'", [bench.python, "-c", f"import {name}"]) for name in bench.modules]
    medians = in_turn(tools, SINK, max(options.rounds, 3) * 7)
    base = medians["odctl list"][0]
    table("Starting", ["", "ms", "time ÷ odctl list's"], [
        [name, f"{seconds * 1000:.1f}", f"{seconds / base:.2f}"] for name, (seconds, _, _) in medians.items()])
