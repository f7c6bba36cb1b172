"""The files: made from a seed, the same bytes on every machine.

    data.py KIND RECORDS COPIES PATH        makes one; `data_file` runs this in a process of its own: see `measure`
"""

import json
import random
import subprocess
import sys
from typing import Callable, NamedTuple

from common import DATA, say

SECURITIES = 1300
QUOTES_HEADER = "日期,證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數"
SIGNS = "台元中國光華電子金寶聯合大同永信豐泰亞洲新東南北海山水石化鋼鐵紙業食品紡織玻璃水泥橡膠"
CAFE_SIGNS = "晨霧咖啡第三張桌子燈籠半糖書房角落時光山貓與黑白老宅慢日小島"
PROSE_SIGNS = "的一是在有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里"
WORDS = "open data table record price volume market station river harbour summer, winter; evening “bold” naïve".split()


class Kind(NamedTuple):
    """What a file holds, and what its records look like once they are converted."""

    ending: str
    parts: Callable            # records -> head, the records' texts, what stands between them, tail
    fields: list               # the names in order, as the package writes them
    numbers: set               # those of them that are numbers
    total: str                 # the whole number whose sum is compared, as a pattern of its names


def quotes(records):
    """Quotes as the exchange publishes them: every cell quoted, the header not, the day first and of the ROC era."""
    rng = random.Random(20260708)
    securities = []
    for number in range(SECURITIES):
        code = f"{50 + number:04d}" if number < 100 else f"{1001 + number * 7:04d}"
        if number % 37 == 0:
            code = f"00{600 + number % 390:03d}{'RLUBK'[number % 5]}"
        name = "".join(rng.choice(SIGNS) for _ in range(rng.randint(2, 6)))
        securities.append((code, name, rng.uniform(8, 900)))

    def quote(index):
        day, number = divmod(index, SECURITIES)
        code, name, base = securities[number]
        date = f"{105 + day // 336}{day // 28 % 12 + 1:02d}{day % 28 + 1:02d}"
        if rng.random() < 0.01:
            cells = (date, code, name, "0", "0", "", "", "", "", "0.0000", "0")
        else:
            first = base * (0.9 + 0.2 * rng.random())
            last = first * (0.97 + 0.06 * rng.random())
            volume = int(10 ** (3 + 5 * rng.random()))
            cells = (
                date, code, name, str(volume), str(int(volume * last)),
                f"{first:.2f}", f"{max(first, last) * 1.01:.2f}", f"{min(first, last) * 0.99:.2f}", f"{last:.2f}",
                f"{last - first:.4f}", str(volume // 900 + 1))
        return '"' + '","'.join(cells) + '"\n'

    return QUOTES_HEADER + "\n", map(quote, range(records)), "", ""


def cafes(records):
    """Cafes as PHP writes them: one array on one line, letters beyond ASCII as \\uXXXX, slashes escaped."""
    rng = random.Random(20260708)
    answers = ["yes", "no", "maybe", ""]

    def rating():
        return rng.choice([0, 1, 2, 2.5, 3, 3.5, 4, 4.5, 4.8, 5])

    def cafe(index):
        name = "".join(rng.choice(CAFE_SIGNS) for _ in range(rng.randint(2, 8)))
        if rng.random() < 0.3:
            name = f"Lantern & Co. \"{name}\""
        members = {
            "id": "%08x-%04x-4%03x-a%03x-%012x" % tuple(rng.getrandbits(bits) for bits in (32, 16, 12, 12, 48)),
            "name": name, "city": rng.choice(["taipei", "tainan", "kaohsiung", "hsinchu"]),
            "wifi": rating(), "seat": rating(), "quiet": rating(), "tasty": rating(), "cheap": rating(),
            "music": rating(), "url": f"https://cafe.example/{index}/" if rng.random() < 0.7 else "",
            "address": f"台北市示例路{rng.randint(1, 400)}號，{rng.randint(1, 12)}樓",
            "latitude": f"{rng.uniform(22, 25.2):.8f}", "longitude": f"{rng.uniform(120, 122):.8f}",
            "limited_time": rng.choice(answers), "socket": rng.choice(answers),
            "standing_desk": rng.choice(answers), "mrt": f"示例站{rng.randint(1, 9)}號出口",
            "open_time": rng.choice(["", "週一公休，其餘 10:00-21:00", "每日 08:30~18:00"]),
        }
        return json.dumps(members, separators=(",", ":")).replace("/", "\\/")

    return "[", map(cafe, range(records)), ",", "]"


def wide(records):
    """Three hundred columns: whole numbers, decimals and short texts in turn, none quoted."""
    rng = random.Random(300)
    texts = ["north", "south", "台北", "高雄", "", "n.a.", "upper level"]

    def row(index):
        cells = []
        for _ in range(100):
            cells += [str(rng.randrange(1_000_000)), f"{rng.uniform(-1000, 1000):.2f}", rng.choice(texts)]
        return ",".join(cells) + "\n"

    return ",".join(f"c{index}" for index in range(300)) + "\n", map(row, range(records)), "", ""


def long_text(records):
    """An id, a title, and a body of some thousand letters with commas in it."""
    rng = random.Random(8000)

    def body():
        paragraphs = []
        for _ in range(rng.randint(2, 12)):
            if rng.random() < 0.5:
                paragraphs.append(" ".join(rng.choices(WORDS, k=rng.randint(40, 120))))
            else:
                paragraphs.append("".join(rng.choices(PROSE_SIGNS, k=rng.randint(60, 200))) + "。")
        return " ".join(paragraphs)

    lines = (f'{index},"{rng.choice(WORDS)} {index}, a title","{body()}"\n' for index in range(records))
    return "id,title,body\n", lines, "", ""


def escaped_texts(rng):
    """Three texts: quotation marks, line breaks, backslashes and tabs."""
    quote = f'He said "{rng.choice(WORDS)}", then "{rng.choice(CAFE_SIGNS)}" and ""nothing""'
    lines = "\n".join(rng.choice(WORDS) for _ in range(rng.randint(2, 6)))
    path = f"C:\\data\\{rng.randrange(1000)}\\{rng.choice(WORDS)}\t\"a b\""
    return quote, lines, path


def escapes(records):
    """CSV that needs its quotes: quotation marks doubled, line breaks, backslashes and tabs within them."""
    rng = random.Random(34)

    def row(index):
        cells = ['"' + text.replace('"', '""') + '"' for text in escaped_texts(rng)]
        return f"{index}," + ",".join(cells) + "\n"

    return "id,quote,lines,path\n", map(row, range(records)), "", ""


def json_escapes(records):
    """The same texts in one JSON array, letters beyond ASCII as \\uXXXX, some beyond the first plane as two of them."""
    rng = random.Random(34)

    def member(index):
        quote, lines, path = escaped_texts(rng)
        return json.dumps({"id": index, "quote": quote, "lines": lines + " 😀", "path": path})

    return "[", map(member, range(records)), ",\n", "]\n"


def chinese(records):
    """A directory in Chinese: nearly every letter has three bytes, and nothing is quoted."""
    rng = random.Random(950)

    def signs(low, high):
        return "".join(rng.choices(SIGNS, k=rng.randint(low, high)))

    def row(index):
        cells = (
            str(index), rng.choice(["臺北市", "新北市", "高雄市"]), signs(3, 9),
            f"{signs(2, 4)}區{signs(2, 4)}路{rng.randint(1, 400)}號", signs(10, 40), str(rng.randrange(200)))
        return ",".join(cells) + "\n"

    return "編號,縣市,名稱,地址,說明,座位數\n", map(row, range(records)), "", ""


QUOTES_FIELDS = "date code name volume value open high low close change transactions".split()
CAFE_FIELDS = (
    "id name city wifi seat quiet tasty cheap music url address latitude longitude limited_time socket standing_desk "
    "mrt open_time").split()
WIDE_FIELDS = [f"c{index}" for index in range(300)]
ESCAPED_FIELDS = ["id", "quote", "lines", "path"]

KINDS = {
    "quotes": Kind("csv", quotes, QUOTES_FIELDS, set(QUOTES_FIELDS[3:]), "volume|成交股數"),
    "cafes": Kind(
        "json", cafes, CAFE_FIELDS, set(CAFE_FIELDS[3:9]) | {"latitude", "longitude"}, ""),
    "wide": Kind(
        "csv", wide, WIDE_FIELDS, {name for index, name in enumerate(WIDE_FIELDS) if index % 3 < 2}, "c0"),
    "long-text": Kind("csv", long_text, ["id", "title", "body"], {"id"}, "id"),
    "escapes": Kind("csv", escapes, ESCAPED_FIELDS, {"id"}, "id"),
    "json-escapes": Kind("json", json_escapes, ESCAPED_FIELDS, {"id"}, "id"),
    "chinese": Kind("csv", chinese, "id city name address about seats".split(), {"id", "seats"}, "id|編號"),
}


def make(kind, records, copies, path):
    """Writes a file; with copies, the records are the same ones over and over."""
    head, texts, between, tail = KINDS[kind].parts(records)
    body = bytearray()
    for index, text in enumerate(texts):
        body += ((between if index else "") + text).encode()
    with open(path, "wb") as file:
        file.write(head.encode())
        for copy in range(copies):
            if copy:
                file.write(between.encode())
            file.write(body)
        file.write(tail.encode())


def data_file(kind, records, copies=1):
    """The path of a file of so many records, so often; it is made if it is not there."""
    often = f"x{copies}" if copies > 1 else ""
    path = DATA / f"{kind}-{records}{often}.{KINDS[kind].ending}"
    if not path.exists():
        say(f"making {path.name}")
        part = path.with_suffix(".part")
        subprocess.run([sys.executable, __file__, kind, str(records), str(copies), str(part)], check=True)
        part.rename(path)
    return path


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
