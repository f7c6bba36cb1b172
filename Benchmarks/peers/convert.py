"""convert.py CONVERSION IN OUT [TEXT_COLUMN …]: one conversion by one Python library, in the way that its guide shows.

CSV becomes NDJSON; a JSON array becomes CSV or NDJSON. Where a library guesses types it is told which columns are text:
the code 0050 is not the number 50.
"""

import sys


def polars_csv(source, target, texts):
    import polars
    polars.scan_csv(source, schema_overrides={name: polars.String for name in texts}).sink_ndjson(target)


def polars_json_csv(source, target, texts):
    import polars
    polars.read_json(source).write_csv(target)


def polars_json_ndjson(source, target, texts):
    import polars
    polars.read_json(source).write_ndjson(target)


def duckdb_csv(source, target, texts):
    import duckdb
    types = {name: "VARCHAR" for name in texts}
    rows = duckdb.read_csv(source, dtype=types) if types else duckdb.read_csv(source)
    # The query finds the variable by its name.
    duckdb.sql(f"copy (select * from rows) to '{target}' (format json)")


def duckdb_json_csv(source, target, texts):
    import duckdb
    duckdb.sql(f"copy (select * from read_json('{source}')) to '{target}' (format csv, header)")


def duckdb_json_ndjson(source, target, texts):
    import duckdb
    duckdb.sql(f"copy (select * from read_json('{source}')) to '{target}' (format json)")


def pandas_csv(source, target, texts):
    import pandas
    rows = pandas.read_csv(source, dtype={name: str for name in texts})
    rows.to_json(target, orient="records", lines=True, force_ascii=False)


def pandas_json_csv(source, target, texts):
    import pandas
    pandas.read_json(source, dtype=False, convert_dates=False).to_csv(target, index=False)


def pandas_json_ndjson(source, target, texts):
    import pandas
    rows = pandas.read_json(source, dtype=False, convert_dates=False)
    rows.to_json(target, orient="records", lines=True, force_ascii=False)


def pyarrow_csv(source, target, texts):
    """Arrow reads CSV, and writes no JSON: its rows are written by orjson."""
    import orjson
    import pyarrow
    from pyarrow import csv
    options = csv.ConvertOptions(column_types={name: pyarrow.string() for name in texts})
    with open(target, "wb") as file, csv.open_csv(source, convert_options=options) as batches:
        for batch in batches:
            file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in batch.to_pylist())


def pyarrow_csv_only(source, target, texts):
    """Reading into Arrow's columns and nothing else."""
    import pyarrow
    from pyarrow import csv
    csv.read_csv(
        source, convert_options=csv.ConvertOptions(column_types={name: pyarrow.string() for name in texts}))


def python_csv(source, target, texts):
    import csv
    import json
    with open(source, encoding="utf-8", newline="") as rows, open(target, "w", encoding="utf-8") as file:
        for row in csv.DictReader(rows):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def orjson_json_csv(source, target, texts):
    import csv
    import orjson
    with open(source, "rb") as file:
        rows = orjson.loads(file.read())
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0].keys())
        writer.writerows(row.values() for row in rows)


def orjson_json_ndjson(source, target, texts):
    import orjson
    with open(source, "rb") as file:
        rows = orjson.loads(file.read())
    with open(target, "wb") as file:
        file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


globals()[sys.argv[1]](sys.argv[2], sys.argv[3], sys.argv[4:])
