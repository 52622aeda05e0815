#!/usr/bin/env python3
"""policy diff never misses a loosening silently.

One place of a policy is loosened, wherever it is (a setting of a rule, of an override, of a custom rule, a list, a
term, a level, a mode, a lock). The exit code must be 1, or, if the direction is unknown, the output must say that the
policy may be looser. If a change is proved to be tighter, the reverse change must be looser, and no order may
contradict the proof. OG_SEED and OG_COUNT (trials) make it a larger search.
"""
import concurrent.futures
import json
import os
import random
import re
import unittest

from policy_case import PolicyCase
from test_random import Maker

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHIPPED = ["default", "live", "cautious", "paper"] + [os.path.join(ROOT, "policies", f) for f in (
    "options-income.yaml", "short-seller.yaml", "small-account.yaml", "prop-desk/momentum.yaml",
    "prop-desk/rebalance.yaml")]
CONDITIONS = ['match: {symbol: GME}', 'match: {symbol: "BRK.*", side: Buy}', 'match: {account: "DESK[0-9]{2}"}',
              'match: {symbol: "(F|GM)", orderType: Stop}',
              'match: {securityType: [Stock, Option]}', 'when: order.symbol in lists.zz',
              'when: order.limitPrice >= 7.5 && order.symbol == "SPY"',
              'when: order.clientOrderId.startsWith("algo-")', 'when: session.minutesToClose < 20',
              'when: order.action == "Short" && order.symbol != "F"',
              'when: order.symbol.matches("^[M-Q]") && order.limitPrice < 50.0',
              'when: now.getHours() * 60 + now.getMinutes() >= 900',
              'when: order.underlying in lists.zz && order.side == "Buy"', 'when: account.equity < 30000.0',
              'when: counters.ordersLastMinute > 20',
              'when: now >= timestamp("2026-03-02T15:00:00Z") && order.symbol == "QQQ"']
OWN = ['order.limitPrice >= {n}.5 || order.symbol != "GME"', 'order.orderQuantity <= {n}00',
       'order.notional <= {n}000.0', '!(order.symbol in lists.zz)',
       'account.equity >= {n}0000.0', 'order.daysToExpiry >= {n} || order.securityType != "Option"',
       'position.quantity < {n}00.0',
       'session.minutesFromOpen >= {n}', '!order.clientOrderId.startsWith("x{n}")',
       'order.legs.all(l, l.strike < {n}0.0)', 'order.notional <= account.equity * 0.{n}', 'counters.dayPnl > -{n}00.0']
HARD = {"rules.order-form", "rules.facts-age"}


def amount(text):
    return re.match(r"(-?[\d.]+)(.*)$", text)


class Place:
    """A policy as two texts, before and after a change. `known`: True if the change itself shows that the policy is
    looser."""

    def __init__(self, kind, before, after, path, known):
        self.kind, self.before, self.after, self.path, self.known = kind, before, after, path, known


class Loosener:
    """A policy as `policy show` prints it, with one line for each setting."""

    def __init__(self, text, rules, rng):
        self.lines, self.rng = text.splitlines(), rng
        self.rules = {r["id"]: r for r in rules}
        if "lists:" in self.lines:
            self.lines.insert(self.lines.index("lists:") + 1, '  zz: ["GME", "AMC", "BB"]')
        else:
            at = self.lines.index("rules:")
            self.lines[at:at] = ["lists:", '  zz: ["GME", "AMC", "BB"]']

    def text(self, lines=None):
        return "\n".join(lines or self.lines) + "\n"

    def blocks(self):
        """Returns (rule, first line, line past the last of its own settings) of each rule."""
        at, found = self.lines.index("rules:") + 1, []
        while at < len(self.lines) and self.lines[at].startswith(" "):
            end = at + 1
            while end < len(self.lines) and self.lines[end].startswith("    ") and self.lines[end] != "    overrides:":
                end += 1
            found.append((self.lines[at].strip(" :"), at + 1, end))
            while end < len(self.lines) and self.lines[end].startswith("    "):
                end += 1
            at = end
        return found

    def settings(self, rule, first, end):
        """For a rule that refuses: yields (line, key, value, looser, tighter), if its kind has such values."""
        said = dict(line.strip().split(": ", 1) for line in self.lines[first:end])
        if said["level"] != "refuse" or "mode" in said or "reasons" in said:
            return
        for at in range(first, end):
            key, value = self.lines[at].strip().split(": ", 1)
            of = next((s for s in self.rules[rule]["settings"] or [] if s["key"] == key), None)
            if of and of["stricter"] and of["kind"] != "choice" and amount(value):
                number, unit = amount(value).groups()
                up, down = (str(round(float(number) * f, 6)).rstrip("0").rstrip(".") if of["kind"] == "money"
                            else str(int(float(number) * f)) for f in (2, 0.5))
                for looser, tighter in (((up, down),) if of["stricter"] == "lower" else ((down, up),)):
                    if (number not in (looser, tighter) and 0 < float(number) < 1e9
                            and self.fits(of, looser + unit) and self.fits(of, tighter + unit)):
                        yield at, key, value, looser + unit, tighter + unit

    @staticmethod
    def fits(of, value):
        unit = {"": 1, "%": 1, "ms": .001, "s": 1, "m": 60, "h": 3600}
        number = [float(m[1]) * unit.get(m[2], 1) if v and (m := amount(v)) else None
                  for v in (of["least"], value, of["most"])]
        return (number[0] is None or number[0] <= number[1]) and (number[2] is None or number[1] <= number[2])

    def limits(self):
        return [(rule, first, end, s) for rule, first, end in self.blocks() for s in self.settings(rule, first, end)]

    def with_line(self, at, line):
        return self.text(self.lines[:at] + ([line] if line is not None else []) + self.lines[at + 1:])

    # --- what may be loosened

    def setting(self):
        rule, _, _, (at, key, value, looser, _) = self.rng.choice(self.limits())
        return Place("setting", self.text(), self.with_line(at, f"    {key}: {looser}"), f"rules.{rule}.{key}", True)

    def level(self):
        rule, first, end = self.rng.choice([b for b in self.blocks() if not self.rules[b[0]]["locked"]
                                            and "    level: refuse" in self.lines[b[1]:b[2]] and
                                            not any(line.startswith(("    mode", "    reasons"))
                                                    for line in self.lines[b[1]:b[2]])])
        at = self.lines.index("    level: refuse", first, end)
        new = self.rng.choice(["    level: warn", "    level: off", "    level: refuse\n    mode: warn",
                               "    level: refuse\n    mode: shadow"])
        return Place("level", self.text(), self.with_line(at, new),
                     f"rules.{rule}.{'mode' if 'mode' in new else 'level'}", True)

    def lock(self):
        rule, first, _ = self.rng.choice([b for b in self.blocks() if not self.rules[b[0]]["locked"]])
        plain = [line for i, line in enumerate(self.lines) if line != "    lock: true" or not first <= i < first + 40]
        return Place("lock", self.text(plain[:first] + ["    lock: true"] + plain[first:]), self.text(plain),
                     f"rules.{rule}.lock", True)

    def override(self):
        """Put a tighter override before the existing ones, and then loosen something in it."""
        rule, first, end, (at, key, value, looser, tighter) = self.rng.choice(self.limits())
        own = [line for line in self.lines[first:end] if line != "    lock: true"]
        own[own.index(self.lines[at])] = f"    {key}: {tighter}"
        condition = self.rng.choice(CONDITIONS)
        until = self.rng.choice([None, "2026-03-02T18:00:00Z", "2026-03-04T20:59:00Z"])
        what = self.rng.choice(["setting", "gone", "condition", "level"] + (["until"] if until else []))

        def made(key_value=tighter, which=condition, term=until, level="refuse"):
            if key_value is None:
                return self.text()
            lines = [line.replace(f"    {key}: {tighter}", f"    {key}: {key_value}").replace("    level: refuse",
                                                                                              f"    level: {level}")
                     for line in own]
            term = [f"        until: {term}", "        reason: x"] if term else []
            block = [f"      - {which}"] + term + ["    " + line for line in lines]
            head = [] if self.lines[end:end + 1] == ["    overrides:"] else ["    overrides:"]
            return self.text(self.lines[:end + (not head)] + head + block + self.lines[end + (not head):])

        after = {"setting": lambda: made(value), "gone": lambda: made(None), "level": lambda: made(level="warn"),
                 "condition": lambda: made(which=self.rng.choice([c for c in CONDITIONS if c != condition])),
                 "until": lambda: made(term="2026-03-02T16:00:00Z")}[what]()
        key = {"setting": "." + key, "gone": "", "level": ".level", "until": ".until", "condition": ""}[what]
        return Place("override " + what, made(), after, f"rules.{rule}.overrides[0]{key}", what != "condition")

    def own(self):
        require = self.rng.choice(OWN).replace("{n}", str(self.rng.randint(2, 8)))
        which = self.rng.choice([None] + [c[6:] for c in CONDITIONS if c.startswith("when")])
        what = self.rng.choice(["gone", "level", "mode", "until", "require"] + ([] if which else ["when"]))
        head = ["custom:"] if "custom:" not in self.lines else []
        at = len(self.lines) if head else self.lines.index("custom:") + 1

        def made(require=require, when=which, more=()):
            rule = ["  - id: tried", f"    require: {json.dumps(require)}",
                    "    unsure: warn"] + [f"    when: {json.dumps(when)}"] * (when is not None)
            return self.text(self.lines[:at] + head + rule + ["    " + m for m in more] + self.lines[at:])

        after = {"gone": self.text, "level": lambda: made(more=["level: warn"]),
                 "mode": lambda: made(more=["mode: shadow"]),
                 "until": lambda: made(more=["until: 2026-03-02T16:00:00Z", "reason: x"]),
                 "when": lambda: made(when="order.symbol != \"GME\""),
                 "require": lambda: made(require=re.sub(r"\d+", lambda m: str(int(m[0]) + 1), require, count=1)
                                         if re.search(r"\d", require)
                                         else require + " || order.symbol == \"GME\"")}[what]()
        return Place("own " + what, made(), after, "custom.tried" + ("" if what == "gone" else "." + what),
                     what != "require")

    def list(self):
        """Whatever leans on it."""
        self.lines = self.own().before.splitlines() if "lists.zz" in self.own().before else self.lines
        at = next(i for i, line in enumerate(self.lines) if line.startswith("  zz: "))
        user = self.rng.choice(['!(order.symbol in lists.zz)', 'order.symbol in lists.zz',
                                'order.limitPrice > 3.0 || !(order.underlying in lists.zz)'])
        head = ["custom:"] if "custom:" not in self.lines else []
        to = len(self.lines) if head else self.lines.index("custom:") + 1
        self.lines[to:to] = head + ["  - id: leans", f"    require: {json.dumps(user)}"]
        new = self.rng.choice(['  zz: ["GME", "BB"]', '  zz: ["GME", "AMC", "BB", "KOSS"]', '  zz: ["SNAP"]'])
        return Place("list", self.text(), self.with_line(at, new), "lists.zz", False)


class Places(PolicyCase):
    SEED, COUNT = int(os.environ.get("OG_SEED", 20261121)), int(os.environ.get("OG_COUNT", 60))

    def setUp(self):
        super().setUp()
        self.rules = json.loads(self.gate("rules", "--json").stdout)
        self.texts = [self.show(p) for p in SHIPPED]
        deciding = [r for r in self.rules if "order" in r["decides"]]
        for seed in range(self.SEED, self.SEED + 12):
            text, _ = Maker(seed, deciding).policy(0.5, extends="[live]")
            made = self.file(f"made{seed}.yaml", re.sub(r"^mode: .*\n", "", text, flags=re.M))
            done = self.gate("policy", "show", made)
            if done.returncode == 0:
                self.texts.append(done.stdout.decode())
        self.assertGreater(len(self.texts), 12)

    def diff(self, a, b, *more):
        done = self.gate("policy", "diff", "--format", "json", *more, a, b)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def loosen(self, seed):
        rng = random.Random(seed)
        kind = rng.choice(["setting", "level", "lock", "override", "override", "override", "own", "own", "list"])
        place = getattr(Loosener(rng.choice(self.texts), self.rules, rng), kind)()
        a, b = self.file(f"{seed}.a.yaml", place.before), self.file(f"{seed}.b.yaml", place.after)
        code, told = self.diff(a, b, "--generate", "600", "--seed", str(seed))
        self.assertTrue(told["settings"], (seed, place.kind))
        self.assertEqual(code == 1, told["loosened"] > 0 or bool(told["unshown"]), seed)
        if place.known:
            self.assertEqual(code, 1, (seed, place.kind, place.path, told["settings"]))
            self.assertIn((place.path, "loosened"), [(s["path"], s["change"]) for s in told["settings"]],
                          (seed, place.kind))
        # it is proved tighter, so the reverse change is looser
        elif code == 0 and not any(u["path"].startswith(place.path) for u in told["unshown"]):
            self.assertEqual({s["change"] for s in told["settings"] if s["path"].startswith(place.path)}, {"tightened"},
                             (seed, place.kind, told["settings"]))
            code, back = self.diff(b, a, "--generate", "600", "--seed", str(seed))
            self.assertEqual((code, {s["change"] for s in back["settings"] if s["path"].startswith(place.path)}),
                             (1, {"loosened"}), (seed, back["settings"]))
            self.assertEqual(back["tightened"], 0, (seed, back["groups"]))
        return place.kind, told["loosened"] > 0

    def test_a_loosened_place_is_told(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(self.loosen, range(self.SEED, self.SEED + self.COUNT)))
        shown = [kind for kind, shown in done if shown and kind != "lock"]
        if "OG_COUNT" in os.environ:
            for kind in sorted({k for k, _ in done}):
                print(kind, sum(s for k, s in done if k == kind), "shown of", sum(k == kind for k, _ in done))
        self.assertGreater(len(shown) / len([k for k, _ in done if k != "lock"]), 0.3,
                           "much of it is shown by orders too, few as they are here")

    def test_the_same_is_no_difference(self):
        for i, text in enumerate(self.texts[::3]):
            a = self.file(f"same{i}.yaml", text)
            code, told = self.diff(a, a, "--generate", "300")
            self.assertEqual((code, told["settings"], told["unshown"], told["groups"],
                              told["loosened"] + told["tightened"] + told["noted"]),
                             (0, [], [], [], 0))


if __name__ == "__main__":
    unittest.main()
