"""The register compared with the catalogue: every reason in catalogue.txt exists with its level, prediction and
certainty.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import re
import subprocess
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
HERE = os.path.dirname(os.path.abspath(__file__))
# Where the register differs from the catalogue, and why that is right.
OTHERWISE = {
    "market-holiday": ("undecided", "warn",
                       "a date past the end of the calendar cannot be decided, and is not skipped"),
}
# The catalogue calls these an error in the gate: a live policy refuses such orders.
IN_GATE = ("account-not-active", "account-environment-mismatch", "replace-before-canceled", "locate-quote-id-reused",
           "locate-accept-cost", "client-order-id-missing", "client-order-id-used-uncertain")


def run(*args):
    return subprocess.run([GATE, *args], capture_output=True, check=True, timeout=600).stdout.decode()


def catalogue():
    rows = {}
    with open(os.path.join(HERE, "catalogue.txt"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                reason, level, undecided, channel, codes, certainty = line.split()
                assert reason not in rows, reason
                rows[reason] = {"level": level, "undecided": undecided, "channel": channel,
                                "codes": [] if codes == "-" else codes.split(","), "certainty": certainty}
    return rows


def register():
    return {reason["id"]: reason for rule in json.loads(run("rules", "--json")) for reason in rule["reasons"]}


def said(reason):
    p = reason["predicts"]
    got = {"level": reason["level"], "undecided": reason["undecided"], "channel": p["channel"] if p else "none",
           "codes": (p.get("codes") or [p["code"]] if p["code"] else []) if p else []}
    if p:
        got["certainty"] = p["certainty"]
    return got


def differences(rows, reasons):
    found = []
    for name, row in rows.items():
        if name not in reasons:
            found.append(f"{name}: is not in the register")
            continue
        for key, got in said(reasons[name]).items():
            want = row[key]
            if name in OTHERWISE and OTHERWISE[name][0] == key:
                want = OTHERWISE[name][1]
            if got != want:
                found.append(f"{name}: {key} is {got}, the catalogue says {want}")
        if row["certainty"] == "local" and reasons[name]["predicts"]:
            found.append(f"{name}: is local, and predicts {reasons[name]['predicts']}")
    return found


class Catalogue(unittest.TestCase):
    maxDiff = None

    def test_every_reason_stands_as_the_catalogue_says(self):
        rows = catalogue()
        self.assertEqual(len(rows), 150)
        self.assertEqual(differences(rows, register()), [])

    def test_a_difference_would_be_seen(self):
        rows = catalogue()
        reasons = register()
        for key, wrong in (("level", "info"), ("undecided", "info"), ("channel", "async"), ("codes", ["R24"]),
                           ("certainty", "reading")):
            changed = dict(rows, **{"market-outside-hours": dict(rows["market-outside-hours"], **{key: wrong})})
            self.assertEqual(len(differences(changed, reasons)), 1, key)
        self.assertEqual(len(differences(dict(rows, nothing=rows["market-holiday"]), reasons)), 1)

    def test_what_is_otherwise_is_so(self):
        reasons = register()
        for name, (key, value, _) in OTHERWISE.items():
            self.assertEqual(said(reasons[name])[key], value)
            self.assertNotEqual(catalogue()[name][key], value)

    def test_live_refuses_what_only_the_gate_can_prevent(self):
        shown = run("policy", "show", "live")
        natural = register()
        for name in IN_GATE:
            level = re.search(rf"\b{name}: (\w+)", shown)
            self.assertEqual(level.group(1) if level else natural[name]["level"], "refuse", name)

    def test_every_word_can_be_explained(self):
        rules = json.loads(run("rules", "--json"))
        words = [r["id"] for r in rules] + [reason["id"] for r in rules for reason in r["reasons"]]
        codes = "R24 R54 R78 R88 R95 R114 R118 R130 R145 R152 R56 R06 R67 11 14 16 1".split()
        out = run("explain", *words, *codes)
        for word in words + codes:
            self.assertIn(word, out)
        self.assertGreater(len(words), 180)


if __name__ == "__main__":
    unittest.main()
