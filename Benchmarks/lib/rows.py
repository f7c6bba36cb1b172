"""Typed rows in Swift, made inside one process: the package, Foundation's JSONDecoder, CodableCSV."""

import json
import shutil
import statistics
from pathlib import Path

from common import DATA, PEERS, first_line, say, table
from data import data_file
from tools import built

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PeerCodableCSV",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "{path}")],
    targets: [
        .executableTarget(
            name: "PeerCodableCSV", dependencies: [.product(name: "CodableCSV", package: "{identity}")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
"""


def built_codablecsv(checkout):
    """A program around a checkout of CodableCSV, built in a package that is made for it."""
    checkout = Path(checkout).resolve()
    folder = DATA / "codablecsv"
    sources = folder / "Sources" / "PeerCodableCSV"
    sources.mkdir(parents=True, exist_ok=True)
    shutil.copy(PEERS / "codablecsv" / "main.swift", sources)
    (folder / "Package.swift").write_text(MANIFEST.format(path=checkout, identity=checkout.name))
    [program] = built(folder, "PeerCodableCSV")
    return program


def revision(checkout):
    return first_line(["git", "-C", checkout, "log", "-1", "--format=%h of %cs"])


def run(program, work, path, runs):
    return json.loads(first_line([program, work, path, runs]))


def check_rows(bench, codablecsv, quotes, cafes):
    """Whether all make as many rows, and the same sums."""
    same = True
    for path, works in (
        (quotes, [(bench.rows, "ticks"), (codablecsv, "decoder"), (codablecsv, "strings")]),
        (cafes, [(bench.rows, "cafes"), (bench.rows, "decoder")]),
    ):
        made = [(run(program, work, path, 1)) for program, work in works if program]
        outcomes = {(result["records"], result["sum"]) for result in made}
        same = same and len(outcomes) == 1
        say(f"  {'same' if len(outcomes) == 1 else 'DIFFERS'}: typed rows of {path.name}: {sorted(outcomes)}")
    return same


def typed_rows(bench, codablecsv, options):
    quotes, cafes = data_file("quotes", min(options.records, 200_000)), data_file("cafes", options.cafes)
    works = [("[StockDayTick]", bench.rows, "ticks", quotes)]
    if codablecsv:
        works += [("CodableCSV: CSVDecoder, [Quote]", codablecsv, "decoder", quotes),
                  ("CodableCSV: CSVReader, [[String]]", codablecsv, "strings", quotes)]
    works += [("[Cafe]", bench.rows, "cafes", cafes), ("JSONDecoder, [CodableCafe]", bench.rows, "decoder", cafes)]
    times, records = {name: [] for name, *_ in works}, {}
    # As many runs as fit in a second, from five to fifteen.
    runs = {name: run(program, work, path, 1)["seconds"][0] for name, program, work, path in works}
    runs = {name: round(min(max(1 / seconds, 5), 15)) for name, seconds in runs.items()}
    for _ in range(options.rounds):
        for name, program, work, path in works:
            result = run(program, work, path, runs[name])
            times[name] += result["seconds"]
            records[name] = result["records"]
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    rows = []
    for name, program, work, path in works:
        base = medians["[StockDayTick]" if path is quotes else "[Cafe]"]
        rows.append([name, f"{records[name]:,}", f"{min(times[name]):.3f}", f"{medians[name]:.3f}",
                     f"{records[name] / medians[name]:,.0f}", f"{medians[name] / base:.2f}"])
    table("Typed rows in Swift, one process",
          ["", "rows", "best s", "median s", "rows/s", "time ÷ the package's"], rows)
