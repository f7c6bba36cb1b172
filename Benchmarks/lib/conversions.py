"""Whole files converted by odctl and its peers: the quotes, the cafes, and files of other shapes."""

from common import size_of, table
from data import KINDS, data_file
from measuring import check, in_turn

# About 60 MB each, beside 2,000,000 quotes.
SHAPES = {"wide": 30_000, "long-text": 18_000, "escapes": 500_000, "json-escapes": 320_000, "chinese": 420_000}


def comparison(title, tools, medians, source):
    base = next(iter(medians.values()))[0]
    rows, size = [], source.stat().st_size
    for tool in tools:
        wall, busy, memory = medians[tool.name]
        rows.append([
            tool.name, f"{wall:.3f}", rate(size, wall), f"{wall / base:.2f}", f"{busy:.2f}", f"{memory:.0f}"])
    heads = ["", "seconds", "MB/s", "time ÷ odctl's", "processor seconds", "peak MB"]
    slow = [tool.name for tool in tools if tool.is_slow]
    table(title, heads, rows, f"In one round only: {', '.join(slow)}." if slow else None)


def rate(size, seconds):
    """Megabytes a second."""
    speed = size / seconds / 1e6
    return f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"


def quotes_and_cafes(bench, options):
    """Measures and tells; the medians of both, for the table of shapes."""
    quotes = data_file("quotes", options.records)
    cafes, fewer = data_file("cafes", options.cafes), data_file("cafes", options.cafes // 10)
    tools = bench.quotes_tools()
    of_quotes = in_turn(tools, quotes, options.rounds)
    comparison(f"CSV to NDJSON: {options.records:,} quotes, {size_of(quotes)}", tools, of_quotes, quotes)
    tools = bench.cafes_tools(with_slow=False)
    of_cafes = in_turn(tools, cafes, options.rounds)
    comparison(f"JSON to CSV: {options.cafes:,} cafes, {size_of(cafes)}", tools, of_cafes, cafes)
    tools = bench.cafes_tools(with_slow=True)
    medians = in_turn(tools, fewer, options.rounds)
    comparison(f"JSON to CSV, smaller: {size_of(fewer)}", tools, medians, fewer)
    return of_quotes, of_cafes


def shape_file(kind, scale):
    return data_file(kind, max(round(SHAPES[kind] * scale), 100))


def check_shapes(bench, scale, stride):
    """Whether all tools make the same records of every shape."""
    # A list, so that one difference does not hide another.
    return all([
        check(bench, kind, bench.shape_tools(kind, KINDS[kind].ending), shape_file(kind, scale), stride)
        for kind in SHAPES])


def shapes(bench, options, of_quotes, of_cafes):
    """A row for each shape, a column for each tool, in megabytes of input a second."""
    names = {"odctl": "OpenData", "odctl --threads 1": "OpenData, 1 thread", "orjson + Python csv": "orjson"}

    def renamed(medians):
        return {names.get(name, name): figures for name, figures in medians.items()}

    measured = [
        ("quotes: CSV to NDJSON", data_file("quotes", options.records), renamed(of_quotes)),
        ("cafes: JSON to CSV", data_file("cafes", options.cafes), renamed(of_cafes)),
    ]
    for kind in SHAPES:
        source, tools = shape_file(kind, options.scale), bench.shape_tools(kind, KINDS[kind].ending)
        form = KINDS[kind].ending.upper()
        measured.append((f"{kind}: {form} to NDJSON", source, in_turn(tools, source, options.rounds)))
    tools = [name for name in ("OpenData", "OpenData, 1 thread", "Rust csv, 1 thread", "polars", "DuckDB", "pandas",
                               "orjson") if any(name in medians for _, _, medians in measured)]
    rows = []
    for title, source, medians in measured:
        size = source.stat().st_size
        rows.append([title, f"{size / 1e6:.0f}"] + [
            rate(size, medians[name][0]) if name in medians else "" for name in tools])
    table("Shapes of data: MB of input a second", ["", "MB"] + tools, rows)
