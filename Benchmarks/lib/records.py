"""What the tools made: digests to compare.

    records.py KIND MADE STRIDE EXPECTED    prints the digest of a file, and what tells it apart from the expected one
"""

import csv
import json
import os
import re
import sys
from decimal import Decimal

from data import KINDS


def plain(text, is_number):
    """A value in one spelling: no value is None, 4, 4.0 and 4.00 are one number, so are 0 and -0."""
    if text is None or text == "":
        return None
    return str(Decimal(text).normalize() + 0) if is_number else text


def iso(date):
    """A ROC date such as 1150708 as 2026-07-08; an ISO date as it is."""
    date = str(date)
    return date if "-" in date else f"{int(date[:-4]) + 1911}-{date[-4:-2]}-{date[-2:]}"


def normal(cells, kind):
    """A record in one spelling; its columns go by their places, since their names differ."""
    fields = KINDS[kind].fields
    if len(cells) != len(fields):
        raise ValueError(f"a record of {len(cells)} fields")
    return [iso(value) if name == "date" else plain(value, name in KINDS[kind].numbers)
            for name, value in zip(fields, cells)]


def digest_ndjson(path, stride, kind):
    """Counts the records, sums a column of whole numbers, keeps the first, the last and every `stride`th."""
    whole = re.compile(f'"(?:{KINDS[kind].total})": *"?(\\d+)'.encode())
    count, total, kept, line = 0, 0, [], b""

    def record(line):
        return normal(list(json.loads(line, parse_float=str, parse_int=str).values()), kind)

    with open(path, "rb") as file:
        for line in file:
            total += int(whole.search(line)[1])
            if count % stride == 0:
                kept.append(record(line))
            count += 1
    return {"records": count, "sum": total, "last": record(line), "kept": kept}


def digest_array(path, stride, kind):
    """The same of one JSON array, without a sum."""
    with open(path, "rb") as file:
        rows = json.load(file, parse_float=str, parse_int=str)
    kept = [normal(list(row.values()), kind) for row in rows[::stride]]
    return {"records": len(rows), "sum": None, "last": normal(list(rows[-1].values()), kind), "kept": kept}


def digest_cafes(path, stride):
    """The same of a CSV file of cafes; the sum is of tenths of a rating."""
    count, total, kept, last = 0, 0, [], []
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        names = next(reader)
        wifi = names.index("wifi")
        for cells in reader:
            total += round(float(cells[wifi]) * 10)
            if count % stride == 0:
                kept.append(normal(cells, "cafes"))
            last = cells
            count += 1
    return {"records": count, "sum": total, "names": names, "last": normal(last, "cafes"), "kept": kept}


def digest(path, stride, kind):
    if kind == "cafes":
        return digest_cafes(path, stride)
    with open(path, "rb") as file:
        is_array = file.read(1) == b"["
    return (digest_array if is_array else digest_ndjson)(path, stride, kind)


def difference(one, other):
    """What tells two digests apart, in words, or None."""
    for part in one:
        if one[part] == other[part]:
            continue
        if part == "kept":
            for index, records in enumerate(zip(one[part], other[part])):
                for left, right in zip(*records):
                    if left != right:
                        return f"record {index} of those compared: {left!r} and {right!r}"
        return f"{part}: {one[part]} and {other[part]}"
    return None


def main(kind, made, stride, expected):
    found = digest(made, int(stride), kind)
    told = None
    if os.path.exists(expected):
        with open(expected) as file:
            told = difference(json.load(file), found)
    else:
        with open(expected, "w") as file:
            json.dump(found, file)
    print(json.dumps({"records": found["records"], "sum": found["sum"], "difference": told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
