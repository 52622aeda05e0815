"""ordergate test from outside: what it runs, what it prints in each format, what --update writes, what coverage counts.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")

POLICY = """\
ordergate: 1
name: desk
extends: [default]
rules:
  order-notional:
    level: refuse
    most: 50000
    overrides:
      - match: {symbol: "^(SPY|QQQ)$"}
        most: 250000
  market-hours:
    level: refuse
    reasons: {market-holiday: refuse}
  exposure: off
"""

HEAD = """\
ordergate-test: 1
at: 2026-01-15T10:00:00-05:00
facts:
  file: facts.json
  quotes: {AAPL: {bid: 189.98, ask: 190.02, last: 190}, SPY: {bid: 499.9, ask: 500.1, last: 500}}
order: {securityType: Stock, symbol: AAPL, side: Buy, openClose: Open, orderType: Limit, orderQuantity: 100,
        timeInForce: Day, limitPrice: 190, clientOrderId: t1, route: SMART}
cases:
"""
FACTS = {"accountId": "L1", "positions": [], "orders": [], "usedClientOrderIds": [],
         "account": {"account": "L1", "accountStatus": "Active", "accountType": "Live", "bp": 1000000,
                     "overnightBp": 1000000,
                     "availableCash": 1000000, "equity": 1000000, "optLevel": 4, "marginDeficit": 0,
                     "maintenanceDeficit": 0},
         "accountList": [{"account": "L1", "accountType": "Live", "accountStatus": "Active"}],
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock"], "timesInForce": ["Day"]}]}
GOOD = "  - name: small\n    expect: accept\n"
LATE = """\
  - name: after the close
    at: 16:05
    order: {orderType: Market, limitPrice: ~}
    expect: {verdict: refuse, reasons: [market-outside-hours], predicts: R78}
"""
LINE = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
        "orderQuantity": 100, "timeInForce": "Day", "limitPrice": 190, "clientOrderId": "o1", "route": "SMART"}


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.file("desk.yaml", POLICY)
        self.file("facts.json", json.dumps(FACTS))

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def file(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            return f.read()

    def cases(self, text, name="desk_test.yaml"):
        self.file(name, HEAD + text)

    def run_it(self, code, *args):
        p = subprocess.run([GATE, "test", *args], cwd=self.dir.name, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=600, text=True)
        self.assertEqual(p.returncode, code, (args, p.stdout[-3000:], p.stderr[-3000:]))
        return p.stdout, p.stderr

    def results(self, code, *args):
        return json.loads(self.run_it(code, "--format", "json", *args)[0])

    def outcomes(self, code, text, *args):
        self.cases(text)
        report = self.results(code, *args, "desk_test.yaml")
        return [(t["name"] + (" / " + t["part"] if "part" in t else ""), t["outcome"])
                for t in report["files"][0]["tests"]]


class Runs(Case):
    def test_the_policy_beside_is_tested(self):
        self.cases(GOOD + LATE)
        out, err = self.run_it(0, "desk_test.yaml")
        self.assertEqual((out, err), ("ok   desk_test.yaml: 2 passed, 0 failed\n1 file: 2 passed, 0 failed\n", ""))
        out, _ = self.run_it(0, "-v", "desk_test.yaml")
        self.assertIn("ok desk_test.yaml:11:5: after the close\n", out)

    def test_a_folder_is_searched(self):
        self.cases(GOOD)
        self.file("below/facts.json", "{}")
        self.file("below/live_test.yml", HEAD.replace("cases:", "policy: default\ncases:") + GOOD)
        self.cases(GOOD, ".hidden/x_test.yaml")
        self.file("below/other.yaml", "no test")
        out, _ = self.run_it(0, ".")
        self.assertEqual([line.split(":")[0] for line in out.splitlines()],
                         ["ok   below/live_test.yml", "ok   desk_test.yaml", "2 files"])
        os.mkdir(self.path("empty"))
        self.assertIn("empty: holds no *_test.yaml: nothing was tested", self.run_it(4, "empty")[1])

    def test_a_failure_tells_everything(self):
        self.cases("  - name: worth too much\n    order: {orderQuantity: 1000}\n"
                   "    expect: {verdict: accept, reasons: []}\n")
        out, _ = self.run_it(1, "desk_test.yaml")
        self.assertEqual(out, """\
FAIL desk_test.yaml:9:5: worth too much
  desk_test.yaml:11:23: verdict
      expected  accept
      seen      refuse
  desk_test.yaml:11:40: reasons
      expected  []
      seen      [notional-above-limit]
  {"securityType":"Stock","symbol":"AAPL","side":"Buy","openClose":"Open","orderType":"Limit","orderQuantity":1000,\
"timeInForce":"Day","limitPrice":190,"clientOrderId":"t1","route":"SMART"}
    refused at 2026-01-15T15:00:00Z by desk, which predicts accepted:
      refuse order-notional/notional-above-limit at /orderQuantity: order is worth 190000, the desk allows 50000
FAIL desk_test.yaml: 0 passed, 1 failed
1 file: 0 passed, 1 failed
""")

    def test_each_expectation_passes_and_fails(self):
        order = "    order: {orderQuantity: 1000}\n"
        finding = ("rule: order-notional, reason: notional-above-limit, level: refuse, unsure: false, "
                   "field: /orderQuantity")
        pairs = [("verdict: refuse", "verdict: accept"),
                 ("reasons: [notional-above-limit]", "reasons: [notional-above-limit, market-holiday]"),
                 ("reasons: notional-above-limit", "reasons: []"),
                 ("infos: []", "infos: [market-holiday]"),
                 ("shadow: []", "shadow: [notional-above-limit]"),
                 ("includes: [notional-above-limit]", "includes: [notional-above-limit, market-holiday]"),
                 ("excludes: [market-holiday]", "excludes: [notional-above-limit]"),
                 ("predicts: accepted", "predicts: R78"),
                 ("predicts: {channel: accepted}", "predicts: {channel: rejected}"),
                 ("findings: [{%s}]" % finding, "findings: [{%s}]" % finding.replace("refuse", "warn")),
                 ("findings: {message: the desk allows 50000}", "findings: {message: the desk allows 60000}"),
                 ("findings: {message_matches: 'order is worth \\d+, .*'}",
                  "findings: {message_matches: 'order is worth'}")]
        for right, wrong in pairs:
            self.assertEqual(self.outcomes(0, "  - name: a\n%s    expect: {%s}\n" % (order, right)),
                             [("a", "passed")], right)
            self.assertEqual(self.outcomes(1, "  - name: a\n%s    expect: {%s}\n" % (order, wrong)),
                             [("a", "failed")], wrong)
        self.assertEqual(self.outcomes(0, "  - name: a\n%s    expect: refuse\n" % order), [("a", "passed")])
        unsure = "  - name: a\n    order: {symbol: XYZ, orderType: Market, limitPrice: ~}\n    expect: {unsure: %s}\n"
        self.cases(unsure % "[]")
        seen = self.results(1, "desk_test.yaml")["files"][0]["tests"][0]["misses"][0]["seen"]
        self.assertIn("notional-above-limit", seen)
        self.assertEqual(self.outcomes(0, unsure % seen), [("a", "passed")])

    def test_a_halt_of_the_host_does_not_matter(self):
        env = {**os.environ, "XDG_STATE_HOME": self.path("state")}
        os.makedirs(self.path("state/ordergate"), 0o700)
        with open(self.path("state/ordergate/halt.json"), "w", opener=lambda p, f: os.open(p, f, 0o600)) as f:
            f.write('{"trading":"halted","at":"2026-01-15T15:00:00Z","by":"us","reason":"tests"}')
        self.cases(GOOD)
        p = subprocess.run([GATE, "check"], input=json.dumps(LINE) + "\n", env=env, stdout=subprocess.PIPE, text=True,
                           timeout=600)
        self.assertIn("trading-halted", p.stdout)
        p = subprocess.run([GATE, "test", self.path("desk_test.yaml")], env=env, stdout=subprocess.PIPE, text=True,
                           timeout=600)
        self.assertEqual(p.returncode, 0, p.stdout)

    def test_expecting_nothing_fails(self):
        self.assertEqual(self.outcomes(1, "  - name: a\n    order: {orderQuantity: 1}\n"), [("a", "failed")])

    def test_a_table_lays_cells_over_the_case(self):
        text = """\
  - name: sizes
    order: {symbol: SPY, limitPrice: 500}
    table:
      columns: [name, at, order.orderQuantity, facts.quotes.SPY.ask, account, verdict, reasons]
      rows:
        - [small, ~, 100, ~, ~, accept, []]
        - [large, ~, 501, 500.1, ~, refuse, [notional-above-limit]]
        - [~, 2026-01-15T11:00:00-05:00, 500, ~, L1, accept, ~]
        - [a string is no number, ~, "100", ~, ~, refuse, [field-type]]
"""
        self.assertEqual(self.outcomes(0, text),
                         [("sizes / row 1 (small)", "passed"), ("sizes / row 2 (large)", "passed"),
                          ("sizes / row 3", "passed"),
                          ("sizes / row 4 (a string is no number)", "passed")])

    def test_a_file_of_orders(self):
        lines = [LINE, dict(LINE, clientOrderId="o2"), {"op": "heartbeat"}, dict(LINE, clientOrderId="o1")]
        self.file("day.ndjson", "\n\n".join(json.dumps(line) for line in lines))
        case = "  - name: yesterday\n    orders: day.ndjson\n    expect: accept\n"
        self.assertEqual(self.outcomes(1, case), [("yesterday / line 1", "passed"), ("yesterday / line 3", "passed"),
                                                  ("yesterday / line 7", "failed")])
        self.assertEqual(self.outcomes(0, case + "    independent: true\n")[2], ("yesterday / line 7", "passed"))
        self.cases("  - name: gone\n    orders: none.ndjson\n    expect: accept\n")
        self.assertIn("none.ndjson", self.run_it(4, "desk_test.yaml")[1])

    def test_many_failures_of_one_file_are_cut_in_text(self):
        self.file("day.ndjson",
                  "\n".join(json.dumps(dict(LINE, orderQuantity=1000, clientOrderId="o%d" % i)) for i in range(50)))
        self.cases("  - name: yesterday\n    orders: day.ndjson\n    expect: accept\n")
        out, _ = self.run_it(1, "desk_test.yaml")
        self.assertEqual(out.count("FAIL desk_test.yaml:9:5: yesterday"), 20)
        self.assertIn("... and 30 more of this case\n", out)
        self.assertIn("1 file: 0 passed, 50 failed\n", out)

    def test_bytes_of_a_file_do_not_reach_the_terminal(self):
        with open(self.path("day.ndjson"), "wb") as f:
            f.write(b'{"symbol":"\x1b[2J\xff"' + b"x" * 5000 + b"\n")
        self.cases("  - name: yesterday\n    orders: day.ndjson\n    expect: accept\n")
        out, _ = self.run_it(1, "desk_test.yaml")
        self.assertIn('  {"symbol":"?[2J?"' + "x" * 900, out)
        self.assertNotIn("x" * 1001, out)
        xml.fromstring(self.run_it(1, "--format", "junit", "desk_test.yaml")[0])
        self.assertEqual(self.results(1, "desk_test.yaml")["failed"], 1)

    def test_in_a_sequence_what_was_accepted_counts(self):
        text = """\
  - name: an id is used once
    sequence:
      - {order: {clientOrderId: s1}, expect: accept}
      - {order: {clientOrderId: s1}, expect: {verdict: refuse, includes: client-order-id-reused}}
      - quote: {symbol: AAPL, bid: 19, ask: 20, last: 19.5}
        at: 10:30
        order: {clientOrderId: s2}
        expect: {includes: limit-away-from-quote}
      - {name: the rest, facts: {quotes: {AAPL: {bid: 189, ask: 191, last: 190}}}, order: {clientOrderId: s3},
         then: filled, expect: {excludes: limit-away-from-quote}}
      - {order: {orderQuantity: 9999, clientOrderId: s4}, then: filled}
"""
        self.assertEqual(self.outcomes(1, text),
                         [("an id is used once / step %s" % n, "passed") for n in ("1", "2", "3", "4 (the rest)")] +
                         [("an id is used once / step 5", "failed")])

    def test_a_waiver_lets_one_order_through_one_rule(self):
        large = "    order: {orderQuantity: 1000}\n"
        waived = "    waivers: {rule: order-notional, clientOrderId: t1%s}\n"
        let = "    expect: {verdict: accept, reasons: [], waived: [notional-above-limit]}\n"
        held = "    expect: {verdict: refuse, reasons: [notional-above-limit], waived: []}\n"
        said = ("    expect: {findings: [{reason: notional-above-limit, level: warn, waived: true, "
                "message_matches: '.*; waived by %s until %s: %s'}]}\n")
        self.assertEqual(
            self.outcomes(
                1,
                "  - name: let through\n" + large + waived % "" + let
                + "  - name: not waived\n" + large + held
                + "  - name: of another order\n" + large + waived.replace("t1", "t2") % "" + held
                + "  - name: of another rule\n" + large + waived.replace("order-notional", "limit-price") % "" + held
                + "  - name: of its account\n" + large + waived % ", accountId: L1" + let
                + "  - name: of another account\n" + large + waived % ", accountId: L2" + held
                + "  - name: of other terms\n" + large + waived % (", digest: 'sha256:" + "0" * 64 + "'") + held
                + "  - name: over\n" + large + waived % ", until: 10:00" + held
                + "  - name: not over yet\n" + large + waived % ", until: 10:01" + let
                + "  - name: whose word it is\n" + large + waived % ", by: jo, reason: a hedge, until: 11:00"
                + said % ("jo", "2026-01-15T16:00:00Z", "a hedge")
                + "  - name: a quarter of an hour\n" + large + waived % ""
                + said % ("a test", "2026-01-15T15:15:00Z", "to see what it lets through")
                + "  - name: others refuse as ever\n    order: {orderQuantity: 1000, route: ~}\n" + waived % ""
                + "    expect: {verdict: refuse, waived: notional-above-limit}\n"
                + "  - name: expected and not so\n" + large + "    expect: {waived: [notional-above-limit]}\n"
                + "  - name: rows\n" + waived % ""
                + "    table:\n      columns: [order.orderQuantity, order.clientOrderId, verdict, waived]\n"
                + "      rows:\n        - [1000, t1, accept, [notional-above-limit]]\n"
                "        - [1000, t2, refuse, []]\n"
                + "        - [1, t1, accept, []]\n"),
            [("let through", "passed"), ("not waived", "passed"), ("of another order", "passed"),
             ("of another rule", "passed"), ("of its account", "passed"), ("of another account", "passed"),
             ("of other terms", "passed"), ("over", "passed"), ("not over yet", "passed"),
             ("whose word it is", "passed"),
             ("a quarter of an hour", "passed"), ("others refuse as ever", "passed"), ("expected and not so", "failed"),
             ("rows / row 1", "passed"), ("rows / row 2", "passed"), ("rows / row 3", "passed")])

    def test_a_waiver_is_used_up_in_a_sequence(self):
        large = "order: {orderQuantity: 1000, clientOrderId: %s}"
        waiver = "{rule: order-notional, clientOrderId: %s}"
        self.assertEqual(
            self.outcomes(
                0,
                "  - name: steps\n    waivers: [" + waiver % "a" + ", " + waiver % "b" + "]\n    sequence:\n"
                "      - {" + large % "a" + ", expect: {verdict: accept, waived: [notional-above-limit]}}\n"
                "      - {" + large % "c" + ", expect: {verdict: refuse, waived: []}}\n"
                "      - {waivers: " + waiver % "c" + ", " + large % "c" + ", expect: accept, then: released}\n"
                "      - {" + large % "c" + ", expect: {verdict: refuse, waived: []}}\n"
                "      - {at: '10:16', " + large % "b" + ", expect: {verdict: refuse, waived: []}}\n"),
            [("steps / step %d" % i, "passed") for i in range(1, 6)])

    def test_a_locked_rule_is_not_waived(self):
        self.file("desk.yaml", POLICY.replace("    most: 50000\n", "    most: 50000\n    lock: true\n"))
        self.outcomes(0, "  - name: locked\n    order: {orderQuantity: 1000}\n"
                         "    waivers: {rule: order-notional, clientOrderId: t1}\n"
                         "    expect: {reasons: [notional-above-limit], waived: [],\n"
                         "             findings: [{waived: false, message: the rule is locked}]}\n")

    def test_a_waiver_that_is_none_is_told(self):
        cases = GOOD
        for waiver in ("x", "{rule: order-notional}", "{rule: order-notionl, clientOrderId: t1}",
                       "[{rule: trading, clientOrderId: t1}]",
                       "{rule: order-notional, clientOrderId: t1, order: t1}",
                       "{rule: order-notional, clientOrderId: t1, by: [jo]}"):
            cases += "  - name: %s\n    waivers: %s\n    expect: accept\n" % (len(cases), waiver)
        self.cases(cases)
        _, err = self.run_it(3, "desk_test.yaml")
        for text in ("desk_test.yaml:12:14: error: a waiver must be a map with the rule and the order that it lets "
                     "through, like {rule: order-notional, clientOrderId: t1} [wrong-type]",
                     "desk_test.yaml:15:14: error: a waiver must be a map",
                     "desk_test.yaml:18:21: error: 'order-notionl' is not a rule; did you mean 'order-notional'? "
                     "[value-invalid]", "desk_test.yaml:21:22: error: rule 'trading' cannot be waived [value-invalid]",
                     "desk_test.yaml:24:56: error: a waiver has no key 'order'",
                     "desk_test.yaml:27:60: error: 'by' must be one word or text [wrong-type]"):
            self.assertIn(text, err)
        self.outcomes(3, GOOD + "  - name: late\n    waivers: {rule: order-notional, clientOrderId: t1, until: soon}\n"
                                "    expect: accept\n")
        self.outcomes(3, GOOD + "  - name: long\n    waivers: {rule: order-notional, clientOrderId: t1, by: %s}\n"
                                "    expect: accept\n" % ("x" * 65))

    def test_requests_and_lines_of_json(self):
        self.assertEqual(self.outcomes(0, """\
  - name: a cancel
    request: {op: cancel, clientOrderId: zz}
    expect: {reasons: [cancel-unknown-id], predicts: http-404}
  - name: locates
    request: {op: locate-quote, account: L1, symbol: GME, quoteReqID: q1}
    table: {columns: [request.quantity, verdict], rows: [[100, accept], [0, refuse]]}
  - name: no json
    order: '{"symbol": '
    expect: {verdict: refuse, reasons: [body-not-json]}
"""), [("a cancel", "passed"), ("locates / row 1", "passed"), ("locates / row 2", "passed"), ("no json", "passed")])

    def test_facts_come_from_files_and_are_laid_over(self):
        self.file("far.json", json.dumps({"quotes": {"AAPL": {"bid": 1, "ask": 2, "last": 1.5}, "IBM": {"last": 5}}}))
        self.assertEqual(self.outcomes(0, """\
  - name: the file
    facts: far.json
    expect: {includes: limit-away-from-quote}
  - name: the file, and one quote over it
    facts: {file: far.json, quotes: {AAPL: {bid: 189, ask: 191, last: 190}}}
    expect: {excludes: limit-away-from-quote}
"""), [("the file", "passed"), ("the file, and one quote over it", "passed")])
        self.cases("  - name: a\n    facts: gone.json\n    expect: accept\n")
        self.assertIn("gone.json' does not exist", self.run_it(4, "desk_test.yaml")[1])
        self.file("bad.json", '{"quotes": \n  oops}')
        self.cases("  - name: a\n    facts: bad.json\n    expect: accept\n")
        self.assertIn("bad.json:2:3: ", self.run_it(3, "desk_test.yaml")[0])
        self.cases("  - name: a\n    facts: {positions: [{shares: many}]}\n    expect: accept\n" + GOOD)
        out, _ = self.run_it(3, "desk_test.yaml")
        self.assertIn("UNUSABLE desk_test.yaml:9:5: a\n", out)
        self.assertIn("1 passed, 0 failed, 1 unusable", out)

    def test_old_facts_are_old_unless_their_age_is_taken_away(self):
        self.file("desk.yaml", POLICY.replace("[default]", "[default]\nmax_age: {account: 10s}"))
        self.file("old.json",
                  json.dumps(dict(FACTS, asOf="2026-01-15T14:00:00Z", ages={"account": "2026-01-15T14:30:00Z"})))
        self.assertEqual(self.outcomes(0, """\
  - name: old
    facts: old.json
    expect: {includes: input-stale}
  - name: as of now
    facts: {file: old.json, asOf: ~, ages: ~}
    expect: {excludes: input-stale}
  - name: it grows old, what says nothing does not
    sequence:
      - {at: "10:00", facts: {account: {bp: 5}, asOf: 2026-01-15T15:00:00Z}, order: {clientOrderId: s1},
         expect: {excludes: input-stale}}
      - {at: "10:05", order: {clientOrderId: s2}, expect: {includes: input-stale}}
      - {at: "10:06", facts: {account: {bp: 5}}, order: {clientOrderId: s3}, expect: {excludes: input-stale}}
      - {at: "10:10", order: {clientOrderId: s4}, expect: {excludes: input-stale}}
"""), [("old", "passed"), ("as of now", "passed")]
            + [("it grows old, what says nothing does not / step %d" % i, "passed") for i in (1, 2, 3, 4)])

    def test_a_fault_in_facts_has_its_place(self):
        self.cases("""\
  - name: a
    facts: {quotes: {AAPL: {bid: x}}}
    expect: accept
  - name: b
    facts:
      positions:
        - {symbol: A.B, side: Long, shares: 1, priceAvg: 1}
        - {symbol: A, side: Long,
           shares: many}
    expect: accept
  - name: c
    facts: {gate: {tradng: on}}
    expect: accept
  - name: d
    table: {columns: [facts.account.bp, verdict], rows: [[7, refuse], [x, accept]]}
  - name: e
    sequence:
      - {order: {clientOrderId: s1}, expect: accept}
      - {facts: {pnl: {dayPnl: much}}, order: {clientOrderId: s2}, expect: accept}
""")
        whys = [t.get("why") for t in self.results(3, "desk_test.yaml")["files"][0]["tests"]
                if t["outcome"] == "unusable"]
        self.assertEqual(whys, [
            'desk_test.yaml:10:29: facts: quotes.AAPL.bid: expected a number, saw "x"',
            'desk_test.yaml:17:12: facts: positions[1].shares: expected a number, saw "many"',
            "desk_test.yaml:20:20: facts: gate.tradng: unknown key; did you mean 'trading'?",
            'desk_test.yaml:23:72: facts: account.bp: expected a number, saw "x"',
            'desk_test.yaml:27:24: facts: pnl.dayPnl: expected a number, saw "much"'])

    def test_policies_over_one_another_and_a_floor(self):
        self.file("over.yaml", "ordergate: 1\nextends: []\nrules:\n  order-notional: {level: refuse, most: 10000}\n")
        self.file("floor.yaml", "ordergate: 1\nrules:\n  order-notional: {level: refuse, most: 1000}\n")
        case = "  - name: a\n    order: {orderQuantity: %d}\n    expect: accept\n"
        for top, quantity in (("policy: [desk.yaml, over.yaml]", 52), ("policy: desk.yaml\nfloor: floor.yaml", 5)):
            for more, code in ((0, 0), (1, 1)):
                self.file("x_test.yaml", HEAD.replace("cases:", top + "\ncases:") + case % (quantity + more))
                self.run_it(code, "x_test.yaml")

    def test_filter_and_list(self):
        self.cases(GOOD + LATE
                   + "  - name: sizes\n    table: {columns: [order.orderQuantity, verdict], rows: [[1, accept], [2, "
                   "accept]]}\n")
        out, _ = self.run_it(0, "--list", "desk_test.yaml")
        self.assertEqual(out.splitlines(), ["desk_test.yaml:9:5: small", "desk_test.yaml:11:5: after the close",
                                            "desk_test.yaml:16:61: sizes / row 1",
                                            "desk_test.yaml:16:74: sizes / row 2"])
        self.assertEqual(self.run_it(0, "--list", "--filter", "ROW 2", "desk_test.yaml")[0],
                         "desk_test.yaml:16:74: sizes / row 2\n")
        self.assertIn("1 passed", self.run_it(0, "--filter", "After", "desk_test.yaml")[0])
        self.assertIn("no case has 'zzz' in its name", self.run_it(2, "--filter", "zzz", "desk_test.yaml")[1])


class Faults(Case):
    def test_everything_wrong_is_told_with_its_place(self):
        self.file("desk_test.yaml", """\
ordergate-test: 1
polcy: live
policy: desk.yaml
at: 2026-01-15
order: {symbl: AAPL}
cases:
  - nme: x
  - name: y
    expect: {verdikt: accept}
  - name: y
    at: 25:00
    expect: {verdict: acept, reasons: [market-outside-hour, market-hours], predicts: R9999}
  - name: t
    at: 2026-01-15T10:00:00Z
    table:
      columns: [ordr.symbol, verdict]
      rows:
        - [1]
        - [1, maybe]
  - name: s
    at: 2026-01-15T10:00:00Z
    sequence:
      - {order: {}, then: fill}
""")
        _, err = self.run_it(3, "desk_test.yaml")
        told = [line.split(": error: ")[0] + " " + line.rsplit(" ", 1)[1] for line in err.splitlines()]
        self.assertEqual(told, ["desk_test.yaml:%s [%s]" % at for at in [
            ("2:1", "unknown-key"), ("4:5", "value-invalid"), ("5:9", "unknown-key"), ("7:5", "unknown-key"),
            ("7:5", "key-missing"),
            ("9:14", "unknown-key"), ("10:11", "name-again"), ("11:9", "value-invalid"), ("12:23", "value-invalid"),
            ("12:40", "unknown-reason"), ("12:61", "unknown-reason"), ("12:86", "value-invalid"),
            ("16:17", "unknown-column"),
            ("18:11", "table-row"), ("19:15", "value-invalid"), ("23:27", "value-invalid")]])
        for hint in ("did you mean 'policy'?", "did you mean 'symbol'?", "did you mean 'name'?",
                     "did you mean 'verdict'?",
                     "did you mean 'accept'?", "did you mean 'market-outside-hours'?",
                     "ordergate explain market-hours"):
            self.assertIn(hint, err)

    def test_a_name_is_plain(self):
        self.cases('  - name: "a\\e[2J"\n    expect: accept\n')
        self.assertIn("desk_test.yaml:9:11: error: a name must be one line of plain text",
                      self.run_it(3, "desk_test.yaml")[1])

    def test_a_policy_with_a_fault(self):
        self.file("desk.yaml", POLICY + "  nonsense: refuse\n")
        self.cases(GOOD)
        out, err = self.run_it(3, "desk_test.yaml")
        self.assertIn("desk.yaml:15:3: error: there is no rule 'nonsense'", err)
        self.assertIn("FAIL desk_test.yaml: cannot be used\n", out)

    def test_what_cannot_be_read(self):
        self.assertIn("'gone_test.yaml' does not exist", self.run_it(4, "gone_test.yaml")[1])
        self.cases(GOOD, "other_test.yaml")
        self.assertIn("other_test.yaml:1:1: error: policy 'other.yaml' does not exist [policy-unusable]",
                      self.run_it(3, "other_test.yaml")[1])
        self.cases(GOOD)
        os.chmod(self.path("desk_test.yaml"), 0o666)
        self.assertIn("may be written by others", self.run_it(4, "desk_test.yaml")[1])

    def test_usage(self):
        self.assertIn("no folder or file was named", self.run_it(2)[1])
        self.assertIn("expected text, tap, junit, json or github", self.run_it(2, "--format", "xml", ".")[1])
        self.assertIn("--coverage-least 'half'", self.run_it(2, "--coverage-least", "half", ".")[1])
        self.assertIn("--coverage-least 'words=5%'", self.run_it(2, "--coverage-least", "words=5%", ".")[1])
        self.assertIn("usage: ordergate test", self.run_it(0, "--help")[0])
        with open("/dev/full", "w") as full:
            self.cases(GOOD)
            p = subprocess.run([GATE, "test", self.path("desk_test.yaml")], stdout=full, stderr=subprocess.DEVNULL,
                               timeout=600)
        self.assertEqual(p.returncode, 4)


class Formats(Case):
    def setUp(self):
        super().setUp()
        self.cases(GOOD + LATE.replace("R78", "R54") + "  - name: 'a <b> & \"c\" # d'\n    expect: refuse\n"
                   "  - name: no facts\n    facts: {positions: 7}\n    expect: accept\n")
        self.file("bad_test.yaml", "ordergate-test: 2\npolicy: default\n")

    def test_tap(self):
        out, _ = self.run_it(3, "--format", "tap", "desk_test.yaml", "bad_test.yaml")
        lines = out.splitlines()
        self.assertEqual(lines[0], "TAP version 14")
        self.assertEqual([line for line in lines if line.startswith(("ok", "not ok"))], [
            "ok 1 - desk_test.yaml: small", "not ok 2 - desk_test.yaml: after the close",
            'not ok 3 - desk_test.yaml: a <b> & "c" \\# d', "not ok 4 - desk_test.yaml: no facts",
            "not ok 5 - bad_test.yaml"])
        self.assertEqual(lines[-1], "1..5")
        self.assertIn('    - {line: 14, column: 74, "what":"predicts", "expected":"R54", "seen":"R78"}', lines)
        self.assertEqual(lines.count("  ---"), lines.count("  ..."))

    def test_junit(self):
        out, _ = self.run_it(3, "--format", "junit", "desk_test.yaml", "bad_test.yaml")
        suites = list(xml.fromstring(out))
        self.assertEqual([(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in suites],
                         [("desk_test.yaml", "4", "2", "1"), ("bad_test.yaml", "1", "0", "1")])
        cases = list(suites[0])
        self.assertEqual([(c.get("name"), c.get("line"), [e.tag for e in c]) for c in cases],
                         [("small", "9", []), ("after the close", "11", ["failure"]),
                          ('a <b> & "c" # d', "15", ["failure"]), ("no facts", "17", ["error"])])
        self.assertEqual(cases[1][0].get("message"), "predicts: expected R54, seen R78")
        self.assertIn("market-hours/market-outside-hours", cases[1][0].text)
        self.assertEqual(suites[1][0].get("name"), "the file")

    def test_json(self):
        report = self.results(3, "desk_test.yaml", "bad_test.yaml")
        self.assertEqual({k: report[k] for k in ("passed", "failed", "updated", "unusable")},
                         {"passed": 1, "failed": 2, "updated": 0, "unusable": 2})
        late = report["files"][0]["tests"][1]
        self.assertEqual(late["misses"],
                         [{"line": 14, "col": 74, "what": "predicts", "expected": "R54", "seen": "R78",
                           "rewritten": False}])
        self.assertEqual(late["decision"]["findings"][0]["reason"], "market-outside-hours")
        self.assertEqual(json.loads(late["order"])["orderType"], "Market")
        self.assertIn("bad_test.yaml:1:1: 'cases' is missing", report["files"][1]["why"])

    def test_github(self):
        out, _ = self.run_it(3, "--format", "github", "desk_test.yaml", "bad_test.yaml")
        self.assertEqual(out.splitlines(), [
            "::error file=desk_test.yaml,line=14,col=74,title=after the close::predicts: expected R54, seen R78",
            '::error file=desk_test.yaml,line=16,col=13,title=a <b> & "c" # d::verdict: expected refuse, seen accept',
            "::error file=desk_test.yaml,line=17,col=5,title=no facts::desk_test.yaml:18:13: facts: positions: "
            "expected an array, or an object with \"positions\", saw 7",
            "::error file=bad_test.yaml,title=cannot be used::bad_test.yaml:1:1: 'cases' is missing: a test file "
            "without cases "
            "tests nothing", "2 files: 1 passed, 2 failed, 2 unusable"])

    def test_the_same_bytes_each_time(self):
        for form in ("text", "tap", "junit", "json", "github"):
            runs = {self.run_it(3, "--format", form, "--coverage", "desk_test.yaml", "bad_test.yaml") for _ in range(2)}
            self.assertEqual(len(runs), 1)

    def test_colour_only_when_asked(self):
        self.assertNotIn("\033", self.run_it(3, "desk_test.yaml")[0])
        self.assertIn("\033[31mFAIL\033[0m", self.run_it(3, "--color", "always", "desk_test.yaml")[0])


class Update(Case):
    TEXT = """\
  # why this case is here
  - name: a   # a word beside it
    order: {orderQuantity: 1000}
    expect: {verdict: accept, reasons: [], predicts: R78}   # and one here
  - name: items
    order: {orderQuantity: 1000}
    expect:
      verdict: "refuse"
      reasons:
        - market-holiday
      # behind
      warns: [market-holiday,
              market-near-boundary]
  - name: rows
    table:
      columns: [order.orderQuantity, verdict, reasons]
      rows:
        - [1, refuse, [market-holiday]]
        - [ 1000 , accept, ~ ]
  - name: nothing yet
    order: {orderQuantity: 1000}   # a large one

  - {name: nothing yet either, order: {orderQuantity: 1}}
  - name: steps
    sequence:
      - order: {clientOrderId: s1}
        expect: refuse
      - order: {clientOrderId: s1}
        expect: {verdict: accept}
"""
    WRITTEN = """\
  # why this case is here
  - name: a   # a word beside it
    order: {orderQuantity: 1000}
    expect: {verdict: refuse, reasons: [notional-above-limit], predicts: accepted}   # and one here
  - name: items
    order: {orderQuantity: 1000}
    expect:
      verdict: "refuse"
      reasons:
        - notional-above-limit
      # behind
      warns: []
  - name: rows
    table:
      columns: [order.orderQuantity, verdict, reasons]
      rows:
        - [1, accept, []]
        - [ 1000 , refuse, ~ ]
  - name: nothing yet
    order: {orderQuantity: 1000}   # a large one
    expect: {verdict: refuse, reasons: [notional-above-limit]}

  - {name: nothing yet either, order: {orderQuantity: 1}, expect: {verdict: accept}}
  - name: steps
    sequence:
      - order: {clientOrderId: s1}
        expect: accept
      - order: {clientOrderId: s1}
        expect: {verdict: refuse}
"""

    def test_expectations_are_rewritten_and_nothing_else(self):
        for end in ("\n", "\r\n"):
            with open(self.path("desk_test.yaml"), "w", newline="") as f:
                f.write((HEAD + self.TEXT).replace("\n", end))
            os.chmod(self.path("desk_test.yaml"), 0o640)
            out, err = self.run_it(0, "--update=all", "desk_test.yaml")
            self.assertIn("desk_test.yaml: rewritten", err)
            self.assertIn("      now       [notional-above-limit]\n", out)
            with open(self.path("desk_test.yaml"), newline="") as f:
                written = f.read().replace("\r\n", "\n")
            self.assertEqual(written, HEAD + self.WRITTEN)
            self.assertEqual(os.stat(self.path("desk_test.yaml")).st_mode & 0o777, 0o640)
            self.run_it(0, "desk_test.yaml")
            self.assertNotIn("rewritten", self.run_it(0, "--update=all", "desk_test.yaml")[1])
        self.assertEqual(sorted(os.listdir(self.dir.name)), ["desk.yaml", "desk_test.yaml", "facts.json"])

    def test_dots_are_filled_in(self):
        text = """\
  - name: all of it
    order: {orderQuantity: 1000}
    expect: ...
  - name: one key
    expect: {verdict: ..., warns: ..., predicts: ...}
  - name: cells
    table: {columns: [order.orderQuantity, verdict, reasons], rows: [[1, ..., ...], [1000, ..., ...]]}
"""
        self.assertEqual({o for _, o in self.outcomes(1, text)}, {"failed"})
        self.run_it(0, "--update", "desk_test.yaml")
        self.assertEqual(self.read("desk_test.yaml"), HEAD + """\
  - name: all of it
    order: {orderQuantity: 1000}
    expect: {verdict: refuse, reasons: [notional-above-limit]}
  - name: one key
    expect: {verdict: accept, warns: [], predicts: accepted}
  - name: cells
    table: {columns: [order.orderQuantity, verdict, reasons], rows: [[1, accept, []],\
 [1000, refuse, [notional-above-limit]]]}
""")
        self.run_it(0, "desk_test.yaml")
        self.cases("  - name: a\n    expect: {includes: ...}\n")
        self.assertIn("--update cannot write this one", self.run_it(3, "desk_test.yaml")[1])

    def test_what_is_stated_stays_unless_all_is_asked_for(self):
        open_ones = """\
  - name: nothing yet
    order: {orderQuantity: 1000}
  - name: one of two
    expect: {verdict: ..., reasons: [market-holiday]}
  - name: cells
    table: {columns: [order.orderQuantity, verdict, reasons], rows: [[1, refuse, ...], [1000, ..., []]]}
  - name: a figure
    expect: {strategy: ..., predicts: rejected}
"""
        self.cases(open_ones)
        out, _ = self.run_it(1, "--update", "desk_test.yaml")
        self.assertEqual(out.count("(stated: only --update=all replaces it)"), 4)
        self.assertNotIn("by hand", out)
        self.assertEqual(self.read("desk_test.yaml"), HEAD + """\
  - name: nothing yet
    order: {orderQuantity: 1000}
    expect: {verdict: refuse, reasons: [notional-above-limit]}
  - name: one of two
    expect: {verdict: accept, reasons: [market-holiday]}
  - name: cells
    table: {columns: [order.orderQuantity, verdict, reasons], rows: [[1, refuse, []], [1000, refuse, []]]}
  - name: a figure
    expect: {strategy: none, predicts: rejected}
""")
        self.run_it(1, "--update", "desk_test.yaml")
        self.run_it(0, "--update=all", "desk_test.yaml")
        self.run_it(0, "desk_test.yaml")
        self.assertIn("nothing, or all", self.run_it(2, "--update=some", "desk_test.yaml")[1])

    def test_what_cannot_be_rewritten_is_said_and_stays(self):
        self.file("day.ndjson", json.dumps(dict(LINE, orderQuantity=1000)))
        self.cases("""\
  - name: many
    orders: day.ndjson
    expect: accept
  - name: a comment inside
    order: {orderQuantity: 1000}
    expect:
      reasons:
        - market-holiday # why
        - market-near-boundary
  - name: a message
    order: {orderQuantity: 1000}
    expect: {findings: [{message: nothing like it}]}
  - name: shared
    expect: {reasons: [market-holiday]}
    table: {columns: [order.orderQuantity], rows: [[1]]}
""")
        before = self.read("desk_test.yaml")
        out, _ = self.run_it(1, "--update=all", "desk_test.yaml")
        self.assertEqual(out.count("(cannot be rewritten here: change it by hand)"), 4)
        self.assertEqual(self.read("desk_test.yaml"), before)

    def test_a_link_stays_one_and_stdin_is_not_written(self):
        self.cases("  - name: a\n    expect: refuse\n", "real/desk_test.yaml")
        self.file("real/desk.yaml", POLICY)
        self.file("real/facts.json", json.dumps(FACTS))
        os.symlink("real/desk_test.yaml", self.path("link_test.yaml"))
        os.symlink("desk.yaml", self.path("link.yaml"))
        self.run_it(0, "--update=all", "link_test.yaml")
        self.assertTrue(os.path.islink(self.path("link_test.yaml")))
        self.assertIn("expect: accept\n", self.read("real/desk_test.yaml"))
        self.assertIn("--update", self.run_it(2, "--update", "-")[1])

    def test_a_filter_is_for_updates_too(self):
        self.cases("  - name: one\n    expect: refuse\n  - name: two\n    expect: refuse\n")
        self.run_it(0, "--update=all", "--filter", "two", "desk_test.yaml")
        self.assertTrue(self.read("desk_test.yaml").endswith("one\n    expect: refuse\n  - name: two\n"
                                                             "    expect: accept\n"))


class Coverage(Case):
    def items(self, code, *args):
        coverage = self.results(code, *args)["coverage"]
        return coverage, {item["name"]: item["reached"] for item in coverage["items"]}

    def test_what_the_policy_says_is_counted(self):
        self.cases(GOOD + LATE
                   + "  - name: an override\n    order: {symbol: SPY, limitPrice: 500, orderQuantity: 500}\n"
                   "    expect: accept\n")
        coverage, items = self.items(0, "--coverage", "desk_test.yaml")
        self.assertEqual(items,
                         {"order-notional": 0, "market-hours": 1, "market-hours/market-holiday": 0,
                          "override 1 of order-notional": 1})
        self.assertEqual((coverage["rules"], coverage["reasons"], coverage["overrides"]),
                         ({"reached": 1, "of": 2}, {"reached": 0, "of": 1}, {"reached": 1, "of": 1}))
        out, _ = self.run_it(0, "--coverage", "desk_test.yaml")
        self.assertIn("coverage: 2 of 4 reached, 50%\n  rules     1 of 2, 50%\n  reasons   0 of 1, 0%\n"
                      "  overrides 1 of 1, 100%\n"
                      "never reached:\n  desk.yaml:5:3: rule order-notional\n"
                      "  desk.yaml:13:15: reason market-hours/market-holiday\n", out)

    def test_rules_of_the_policys_own(self):
        self.file("desk.yaml", POLICY + """\
lists: {meme: [GME, AMC]}
custom:
  - id: no-penny-buys
    when: order.action == "Buy"
    require: order.limitPrice >= 5.0
    message: "buy at {order.limitPrice}"
  - {id: never-said, require: "!(order.symbol in lists.meme)"}
  - {id: switched-off, require: "false", level: off}
""")
        self.cases("""\
  - name: a penny
    order: {limitPrice: 4.99}
    expect: {includes: no-penny-buys, findings: [{rule: no-penny-buys, message: buy at 4.99}]}
""")
        _, items = self.items(0, "--coverage", "desk_test.yaml")
        self.assertEqual((items["no-penny-buys"], items["never-said"]), (1, 0))
        self.assertNotIn("switched-off", items)
        self.cases("  - name: a\n    expect: {includes: no-penny-buy}\n")
        self.assertIn("did you mean 'no-penny-buys'?", self.run_it(3, "desk_test.yaml")[1])

    def test_several_files_reach_together(self):
        self.cases(GOOD)
        self.file("more_test.yaml", HEAD.replace("cases:", "policy: desk.yaml\ncases:") + LATE)
        self.assertEqual(self.items(0, "--coverage", "desk_test.yaml", "more_test.yaml")[1]["market-hours"], 1)

    def test_all_counts_what_is_inherited_too(self):
        self.cases(GOOD)
        coverage, items = self.items(0, "--coverage=all", "desk_test.yaml")
        self.assertIn("limit-price", items)
        self.assertIn("market-hours/market-outside-hours", items)
        self.assertNotIn("exposure", items)
        self.assertGreater(coverage["of"], 100)

    def test_below_the_least_it_fails(self):
        self.cases(GOOD + LATE)
        self.run_it(0, "--coverage-least", "25%", "desk_test.yaml")
        self.assertIn("coverage of all is 1 of 4, 25%; the least allowed is 26%",
                      self.run_it(1, "--coverage-least", "26", "desk_test.yaml")[1])
        self.assertIn("coverage of overrides is 0 of 1, 0%; the least allowed is 1%",
                      self.run_it(1, "--coverage-least", "rules=50%", "--coverage-least", "overrides=1%",
                                  "desk_test.yaml")[1])


class Manual(Case):
    def test_its_example_passes(self):
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "ordergate-test.1")
        with open(page, encoding="utf-8") as f:
            text = f.read()
        example = text.split(".Bd -literal -offset indent\n")[1].split(".Ed")[0]
        self.file("desk_test.yaml", example)
        self.assertIn("3 passed, 0 failed", self.run_it(0, "desk_test.yaml")[0])

    def test_help_shows_a_file_that_passes(self):
        usage = self.run_it(0, "--help")[0]
        example = usage[usage.index("  ordergate-test: 1"):usage.index("\n\n      --filter")]
        self.file("desk_test.yaml", "\n".join(line[2:] for line in example.splitlines()) + "\n")
        self.assertIn("1 passed, 0 failed", self.run_it(0, "desk_test.yaml")[0])


if __name__ == "__main__":
    unittest.main()
