"""The tools: what is built, found or installed, and how each is asked to convert."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from common import DATA, HERE, PEERS, ROOT, first_line, say

VENV = DATA / "venv" / "bin"
MODULES = ("polars", "duckdb", "pandas", "pyarrow", "orjson")
PROGRAMS = {"mlr": "miller", "jq": "jq", "curl": "curl"}
CRATES = Path("/usr/share/cargo/registry")
JQ_CSV = "(.[0] | keys_unsorted), (.[] | [.[]]) | @csv"


class Tool:
    """A command. `{in}` and `{out}` stand for the files; without `{out}` it writes to standard output."""

    def __init__(self, name, words, is_slow=False, only_reads=False):
        self.name = name
        self.words = [str(word) for word in words]
        # Whether one round of it is enough.
        self.is_slow = is_slow
        # Whether it makes nothing that could be compared.
        self.only_reads = only_reads

    @property
    def writes_file(self):
        return "{out}" in self.words

    def command(self, source, target):
        return [word.replace("{in}", str(source)).replace("{out}", str(target)) for word in self.words]


def install_peers():
    """Whatever can be had of the peers; a failure leaves them out."""
    python = VENV / "python"
    if not python.exists():
        say("making a virtual environment")
        if subprocess.run([sys.executable, "-m", "venv", str(DATA / "venv")]).returncode != 0:
            return
    for name in MODULES + ("csvkit", "frictionless"):
        if not has_module(python, name):
            say(f"installing {name}")
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", name])
    absent = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    if shutil.which("cargo") and not CRATES.exists():
        absent.append("librust-csv-dev")
    if absent and shutil.which("apt-get") and os.geteuid() == 0:
        say("installing " + ", ".join(absent))
        subprocess.run(["apt-get", "update", "-qq"])
        for package in absent:
            subprocess.run(["apt-get", "install", "-y", "-qq", package], stdout=subprocess.DEVNULL)


def has_module(python, name):
    probe = [str(python), "-c", f"import {name}"]
    return subprocess.run(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def built(package, *products):
    """Builds executables of a package for release, and tells where they are."""
    command = ["swift", "build", "--package-path", str(package), "-c", "release"]
    for product in products:
        say(f"building {product}")
        result = subprocess.run(
            command + ["--product", product], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            raise SystemExit(result.stdout)
    folder = Path(first_line(command + ["--show-bin-path"]))
    return [folder / product for product in products]


def built_rust():
    """The program of the Rust crate `csv`, built from Debian's sources without the network; None if it cannot be."""
    if not shutil.which("cargo") or not CRATES.exists():
        return None
    folder = DATA / "rustcsv"
    shutil.copytree(PEERS / "rustcsv", folder, dirs_exist_ok=True)
    say("building rustcsv")
    result = subprocess.run(
        ["cargo", "build", "--release", "--offline", "--quiet"], cwd=folder, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        say(f"  it cannot be built: {result.stderr.strip()[-400:]}")
        return None
    return folder / "target" / "release" / "rustcsv"


class Bench:
    """The tools that are here, built or found."""

    def __init__(self):
        self.python = VENV / "python" if (VENV / "python").exists() else Path(sys.executable)
        self.modules = [name for name in MODULES if has_module(self.python, name)]
        self.programs = [name for name in PROGRAMS if shutil.which(name)]
        csvjson = VENV / "csvjson"
        self.csvjson = csvjson if csvjson.exists() else shutil.which("csvjson")
        [self.odctl] = built(ROOT, "odctl")
        self.rows, self.shapes = built(HERE, "RowBenchmark", "ShapeBenchmark")
        self.rust = built_rust()
        # What failed at a kind of file, as (kind, tool's name).
        self.broken = set()
        absent = [name for name in (*MODULES, *PROGRAMS) if not self.has(name)]
        absent += [name for name, path in (("csvkit", self.csvjson), ("the Rust crate csv", self.rust)) if not path]
        for name in absent:
            say(f"{name} is not here: left out")

    def has(self, name):
        return name in self.modules or name in self.programs

    def convert(self, name, module, conversion, *texts, **marks):
        """A conversion by a Python library, if that is here, in a list."""
        words = [self.python, PEERS / "convert.py", conversion, "{in}", "{out}", *texts]
        return [Tool(name, words, **marks)] if module is None or self.has(module) else []

    def unbroken(self, kind, tools):
        return [tool for tool in tools if (kind, tool.name) not in self.broken]

    def rust_tools(self):
        return [Tool("Rust csv, 1 thread", [self.rust, "{in}"])] if self.rust else []

    def quotes_tools(self):
        fetch = [self.odctl, "fetch", "twse.stock_day_all", "--from", "{in}", "--format", "ndjson"]
        code = "證券代號"
        tools = [Tool("odctl", fetch), Tool("odctl --threads 1", fetch + ["--threads", "1"])]
        tools += self.rust_tools()
        tools += self.convert("polars", "polars", "polars_csv", code)
        tools += self.convert("DuckDB", "duckdb", "duckdb_csv", code)
        tools += self.convert("pandas", "pandas", "pandas_csv", code)
        tools += self.convert("pyarrow, reading alone", "pyarrow", "pyarrow_csv_only", code, only_reads=True)
        if self.has("orjson"):
            tools += self.convert("pyarrow + orjson", "pyarrow", "pyarrow_csv", code, is_slow=True)
        if self.has("mlr"):
            tools.append(Tool("Miller", ["mlr", "--icsv", "--ojsonl", "cat", "{in}"]))
        tools += self.convert("Python csv + json", None, "python_csv", is_slow=True)
        if self.csvjson:
            tools.append(Tool("csvkit", [self.csvjson, "-I", "--stream", "{in}"], is_slow=True))
        return self.unbroken("quotes", tools)

    def cafes_tools(self, with_slow):
        fetch = [self.odctl, "fetch", "cafenomad.cafes", "--from", "{in}", "--format", "csv"]
        tools = [Tool("odctl", fetch), Tool("odctl --threads 1", fetch + ["--threads", "1"])]
        tools += self.convert("polars", "polars", "polars_json_csv")
        tools += self.convert("DuckDB", "duckdb", "duckdb_json_csv")
        tools += self.convert("pandas", "pandas", "pandas_json_csv")
        tools += self.convert("orjson + Python csv", "orjson", "orjson_json_csv")
        if with_slow and self.has("mlr"):
            tools.append(Tool("Miller", ["mlr", "--ijson", "--ocsv", "cat", "{in}"]))
        if with_slow and self.has("jq"):
            tools.append(Tool("jq", ["jq", "-r", JQ_CSV, "{in}"]))
        return self.unbroken("cafes", tools)

    def shape_tools(self, kind, ending):
        work = [self.shapes, kind, "{in}"]
        tools = [Tool("OpenData", work), Tool("OpenData, 1 thread", work + ["1"])]
        if ending == "csv":
            tools += self.rust_tools()
        suffix = "csv" if ending == "csv" else "json_ndjson"
        for name, module in (("polars", "polars"), ("DuckDB", "duckdb"), ("pandas", "pandas")):
            tools += self.convert(name, module, f"{module}_{suffix}")
        if ending == "json":
            tools += self.convert("orjson", "orjson", "orjson_json_ndjson")
        return self.unbroken(kind, tools)

    def versions(self):
        lines = [first_line([self.odctl, "--version"]), first_line(["swift", "--version"])]
        lines.append("Python " + first_line([self.python, "-c", "import platform; print(platform.python_version())"]))
        for name in self.modules:
            lines.append(f"{name} " + first_line([self.python, "-c", f"import {name}; print({name}.__version__)"]))
        lines += [" ".join(first_line([name, "--version"]).split()[:2]) for name in self.programs]
        if self.csvjson:
            lines.append("csvkit " + first_line([self.csvjson, "--version"]).split()[-1])
        if self.rust:
            [crate] = CRATES.glob("csv-[0-9]*")
            compiler = " ".join(first_line(["rustc", "--version"]).split()[:2])
            lines.append(f"Rust {crate.name.replace('-', ' ')} by {compiler}")
        return lines
