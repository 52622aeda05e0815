"""The orders, requests and facts of all rule cases (tests/rules/*.cases), as input for other tests."""
import glob
import json
import os
import re
from decimal import Decimal

RULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "rules")


def exact(text):
    return json.loads(text, parse_float=Decimal)


def joined(lines):
    """Yield each keyword of a table with its value. A line that is indented by two spaces continues the value."""
    word, value = None, []
    for line in lines + ["end:"]:
        if line.startswith("  ") and word and not line.startswith("  predicts "):
            value.append(line[2:])
            continue
        if word:
            yield word, value
        found = re.match(r"([a-z]+): ?(.*)$", line)
        word, value = (found[1], [found[2]] if found[2] else []) if found else (None, [])


def cases():
    """Yield every case as (table, name, bytes of the order line, texts of its facts documents)."""
    for path in sorted(glob.glob(os.path.join(RULES, "*.cases"))):
        with open(path, encoding="utf-8") as f:
            lines = [line for line in f.read().split("\n") if not line.startswith("#")]
        base, base_then, case = {}, {}, None
        for word, value in list(joined(lines)) + [("case", ["end"])]:
            if word == "base":
                base = exact("".join(value))
            elif word == "case":
                if case:
                    yield (os.path.basename(path), case["case"], *made(base_then, case))
                case, base_then = {"case": " ".join(value)}, base
            elif case is not None:
                case[word] = value


def text_of(document):
    """Returns the value as JSON text. Every number is spelled as it was read."""
    numbers = []

    def keep(value):
        if isinstance(value, Decimal):
            numbers.append(str(value))
            return f"\0{len(numbers) - 1}\0"
        if isinstance(value, dict):
            return {k: keep(v) for k, v in value.items()}
        return [keep(v) for v in value] if isinstance(value, list) else value

    text = json.dumps(keep(document), ensure_ascii=False)
    return re.sub(r'"\\u0000(\d+)\\u0000"', lambda m: numbers[int(m[1])], text)


def made(base, case):
    if "order" in case:
        line = "\n".join(case["order"])
    else:
        order = {k: v for k, v in base.items() if k not in " ".join(case.get("without", [])).split()}
        order.update(exact("".join(case["with"])) if "with" in case else {})
        line = text_of(order)
    return line, case.get("facts", [])
