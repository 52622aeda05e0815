"""ordergate check as the contract describes it: lines in, decisions out, exit codes, pipes that close, disks that fill.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

BIN = os.environ["OG_BIN"]
GATE = os.path.join(BIN, "ordergate")
AT = "2026-01-15T15:00:00Z"


def order(**changes):
    o = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
         "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190.5, "clientOrderId": "a1", "route": "SMART"}
    o.update(changes)
    return {k: v for k, v in o.items() if v is not None}


def lines(*orders):
    return "".join((o if isinstance(o, str) else json.dumps(o)) + "\n" for o in orders).encode()


FACTS = {"asOf": "2026-01-15T14:59:59Z", "accountId": "LIVE0001",
         "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 100000,
                     "overnightBp": 100000, "availableCash": 50000, "optLevel": 4, "optionTradingLevel": 4,
                     "marginDeficit": 0, "maintenanceDeficit": 0},
         "accountList": [{"account": "LIVE0001", "accountType": "Live", "accountStatus": "Active"}],
         "positions": [], "orders": [], "usedClientOrderIds": [], "locateInventory": [],
         "borrow": {"AAPL": True, "GME": False},
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock"], "timesInForce": ["Day", "GoodTillCancel"]},
                    {"routeName": "SMARTO", "securityTypes": ["Option"], "timesInForce": ["Day"]},
                    {"routeName": "SMARTM", "securityTypes": ["Option", "MLEG"], "timesInForce": ["Day"]}],
         "quotes": {"AAPL": {"bid": 190.40, "ask": 190.50, "last": 190.45},
                    "GME": {"bid": 25, "ask": 25.02, "last": 25}}}


class Check(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, name, content):
        path = os.path.join(self.dir.name, name)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def run_gate(self, data, *args, at=AT, **more):
        command = [GATE, "check"] + (["--at", at] if at else []) + list(args)
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **more)

    def decide(self, data, *args, code=None, **more):
        p = self.run_gate(data, *args, **more)
        if code is not None:
            self.assertEqual(p.returncode, code, p.stderr)
        return [json.loads(x) for x in p.stdout.splitlines()]

    def reasons(self, decision, level=None):
        return [f["reason"] for f in decision["findings"] if level in (None, f["level"])]

    # --- input lines

    def test_every_line_gets_its_decision_in_order(self):
        got = self.decide(lines(order(), "nonsense", "", "   ", order(clientOrderId="a2")), code=1)
        self.assertEqual([(d["line"], d["verdict"]) for d in got], [(1, "accept"), (2, "refuse"), (5, "accept")])
        self.assertIsNone(got[1]["clientOrderId"])
        self.assertIsNone(got[1]["accountId"])
        self.assertEqual(got[1]["findings"][0]["rule"], "order-form")
        self.assertEqual(self.reasons(got[1]), ["body-not-json"])

    def test_mark_carriage_returns_and_a_last_line_without_newline(self):
        data = b"\xef\xbb\xbf" + json.dumps(order()).encode() + b"\r\n" + json.dumps(order(clientOrderId="b")).encode()
        self.assertEqual([d["verdict"] for d in self.decide(data, code=0)], ["accept", "accept"])

    def test_a_line_of_1_mib_is_read_a_longer_one_refused(self):
        text = json.dumps(order()).encode()
        fits = text + b" " * ((1 << 20) - len(text))
        got = self.decide(fits + b"\n" + fits + b" \n" + b"x" * (5 << 20) + b"\n" + lines(order(clientOrderId="z")),
                          code=1)
        self.assertEqual([d["line"] for d in got], [1, 2, 3, 4])
        self.assertEqual([d["verdict"] for d in got], ["accept", "refuse", "refuse", "accept"])
        self.assertEqual(self.reasons(got[1]), ["line-too-long"])

    def test_symbol_with_a_trailing_newline_is_refused(self):
        got = self.decide(lines(order(symbol="AAPL\n")), code=1)
        self.assertIn("symbol-pattern", self.reasons(got[0], "refuse"))
        self.assertEqual(got[0]["predicts"]["channel"], "http-400")
        self.assertEqual(got[0]["predicts"]["text"], "- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'")

    def test_sellshort_gets_the_hint(self):
        got = self.decide(lines(order(side="SellShort")), code=1)
        message = [f["message"] for f in got[0]["findings"] if f["reason"] == "side-enum"][0]
        self.assertIn("Sell", message)
        self.assertIn("Open", message)

    def test_ops_keep_facts_fresh_and_say_nothing(self):
        quote = {"op": "quote", "symbol": "AAPL", "bid": 100, "ask": 100.1, "last": 100}
        facts = dict(FACTS, op="facts")
        got = self.decide(lines(facts, quote, {"op": "heartbeat"}, order(limitPrice=190)), code=None)
        self.assertEqual(len(got), 1)
        self.assertEqual(got[0]["line"], 4)
        self.assertIn("limit-away-from-quote", self.reasons(got[0]))

    def test_a_quote_without_its_time_is_told_once_where_it_is_not_used(self):
        quote = {"op": "quote", "symbol": "AAPL", "bid": 190.4, "ask": 190.5}
        for line, told in ((quote, 1), (dict(quote, asOf=AT), 0)):
            data = lines(order(clientOrderId="z"), line, dict(line, symbol="F"), order())
            self.assertEqual(self.run_gate(data).stderr, b"", "default takes quotes of any age")
            said = self.run_gate(data, "-p", "live").stderr.decode().splitlines()
            self.assertEqual(len(said), told, said)
            if told:
                self.assertTrue(said[0].startswith("ordergate check: stdin:2: a quote without asOf is not used"), said)
                self.assertIn("2s", said[0])

    def test_a_bad_facts_line_is_said_and_the_rest_goes_on(self):
        p = self.run_gate(lines({"op": "facts", "positions": 7}, order()))
        self.assertEqual(p.returncode, 3)
        self.assertEqual(len(p.stdout.splitlines()), 1)
        self.assertIn(b"stdin:1", p.stderr)
        self.assertIn(b"positions", p.stderr)

    def test_a_line_that_cannot_be_read_is_refused_whatever_its_op(self):
        got = self.decide(lines('{"op":"heartbeat","x":[}', '{"op":"quote","symbol":"AAPL","bid":1,"bid":2}',
                                '{"op":"facts","positions":[]', order()), code=1)
        self.assertEqual([self.reasons(d)[0] for d in got[:3]],
                         ["body-not-json", "body-duplicate-key", "body-not-json"])
        self.assertEqual(got[3]["verdict"], "accept")

    def test_a_cancel_is_no_order(self):
        got = self.decide(lines({"op": "cancel", "clientOrderId": "a1"}, order()), code=0)
        self.assertEqual(list(got[0])[:4], ["line", "op", "clientOrderId", "accountId"])
        self.assertEqual((got[0]["op"], got[0]["clientOrderId"]), ("cancel", "a1"))
        self.assertNotIn("op", got[1])
        p = self.run_gate(lines({"op": "cancel", "clientOrderId": "a1"}), "--emit", "orders")
        self.assertEqual((p.returncode, p.stdout), (1, b""))

    def test_what_emitted_orders_leave_out_is_told(self):
        """With --emit, stderr says that cancels and heartbeats are not passed on to send. It does not say so of a
        line that is refused like an order, or that the writer of orders may not send, because the decision already
        tells."""
        data = lines({"op": "heartbeat"}, order(), {"op": "cancel", "clientOrderId": "a1"}, {"op": "heartbeat"},
                     {"op": "read", "endpoint": "GET cash"}, '{"op":"cancel","x":[}', order(symbol="A/B"),
                     {"op": "quote", "symbol": "AAPL", "bid": 1, "ask": 2})
        for how in (), ("--independent",):
            p = self.run_gate(data, "--orders-only", "--emit", "orders", *how)
            self.assertEqual((p.returncode, [json.loads(x) for x in p.stdout.splitlines()]), (1, [order()]))
            told = [t.split(": ")[:3] for t in p.stderr.decode().splitlines()[:-1]]  # the last one counts the refusals
            self.assertEqual([t[:2] for t in told], [["ordergate check", f"stdin:{n}"] for n in (1, 3, 5)])
            for what, (_, _, said) in zip(("heartbeat", "cancel", "request"), told):
                self.assertTrue(said.startswith(what + " left out"), said)
            p = self.run_gate(data, "--orders-only", "--emit", "bodies", *how)
            self.assertEqual([t.split(": ")[1] for t in p.stderr.decode().splitlines()[:-1]],
                             ["stdin:3", "stdin:5"])
        self.assertEqual(self.run_gate(data, "--orders-only").stderr, b"")
        path = self.file("lines", data)
        self.assertIn(path.encode() + b":3: ", self.run_gate(b"", "--emit", "orders", path).stderr)

    def test_emitted_lines_are_what_send_takes(self):
        """With --emit, accepted orders, cancels and heartbeats are written in the order of the input, each with its
        account."""
        data = lines({"op": "heartbeat"}, order(), {"op": "cancel", "clientOrderId": 'a"1'},
                     {"op": "heartbeat", "x": 1},
                     {"op": "read", "endpoint": "GET cash"}, {"op": "cancel"}, order(symbol="A/B"),
                     order(clientOrderId="new", replaces="a1"), '{"op":"cancel","x":[}', '{"op":"heartbeat"',
                     {"op": "cancel", "clientOrderId": "a2", "accountId": "LIVE0002", "orderQuantity": 5},
                     {"op": "quote", "symbol": "AAPL", "bid": 1, "ask": 2}, {"op": "cancel", "clientOrderId": 7})
        beat = {"op": "heartbeat"}
        cancels = [{"op": "cancel", "clientOrderId": 'a"1'},
                   {"op": "cancel", "clientOrderId": "a2", "accountId": "LIVE0002"}]
        for how in (), ("--independent",):
            rejects = self.file("rejects", b"")
            p = self.run_gate(data, "--orders-only", "--emit", "lines", "--rejects", rejects, *how)
            self.assertEqual((p.returncode, [json.loads(x) for x in p.stdout.splitlines()]),
                             (1, [beat, order(), cancels[0], beat, order(clientOrderId="new", replaces="a1"),
                                  cancels[1]]))
            self.assertIn(b"stdin:5: request left out", p.stderr)
            self.assertEqual(len(p.stderr.splitlines()), 2)
            self.assertIn(b": 7 of 11 orders and cancels refused", p.stderr)
            with open(rejects, "rb") as f:
                self.assertEqual([json.loads(x)["line"] for x in f], [5, 6, 7, 9, 10, 12, 13])
            p = self.run_gate(data, "--orders-only", "--emit", "lines", "--account", "LIVE0001", *how)
            accounts = [d.get("accountId") for d in map(json.loads, p.stdout.splitlines()) if d != beat]
            self.assertEqual(accounts, ["LIVE0001"] * 3, "that of line 11 is another")

    # --- decisions

    def test_the_decision_has_the_contracts_keys(self):
        path = self.file("facts.json", FACTS)
        got = self.decide(lines(order(orderType="Market", limitPrice=None)), "-f", path, "-p", "live",
                          at="2026-01-15T21:05:12Z", code=1)[0]
        self.assertEqual(list(got), ["line", "clientOrderId", "accountId", "verdict", "predicts", "findings", "policy",
                                     "facts", "at"])
        hours = [f for f in got["findings"] if f["rule"] == "market-hours"][0]
        self.assertEqual(hours, {"rule": "market-hours", "reason": "market-outside-hours", "level": "refuse",
                                 "field": "/orderType",
                                 "message": "market order at 16:05:12 ET, regular hours are 09:30:00-16:00:00 ET",
                                 "predicts": {"channel": "rejected", "code": "R78", "text": None,
                                              "certainty": "stated"}})
        self.assertEqual(got["predicts"], hours["predicts"])
        self.assertEqual(got["accountId"], "LIVE0001")
        self.assertRegex(got["policy"], r"^live@sha256:[0-9a-f]{64}$")
        self.assertRegex(got["facts"], r"^sha256:[0-9a-f]{64}$")
        self.assertEqual(got["at"], "2026-01-15T21:05:12Z")

    def test_a_clean_order_is_predicted_accepted(self):
        path = self.file("facts.json", FACTS)
        got = self.decide(lines(order()), "-f", path, code=0)[0]
        self.assertEqual(got["predicts"]["channel"], "accepted")

    def test_market_hours_to_the_millisecond_whatever_tz_says(self):
        cases = [("2026-01-15T14:29:59.999Z", False), ("2026-01-15T14:30:00Z", True), ("2026-01-15T21:00:00Z", True),
                 ("2026-01-15T21:00:00.001Z", False), ("2026-07-15T13:29:59.999Z", False),
                 ("2026-07-15T13:30:00Z", True), ("2026-07-15T20:00:00Z", True), ("2026-07-15T20:00:00.001Z", False),
                 # switch days are Sundays; the Fridays before and Mondays after
                 ("2026-03-06T14:30:00Z", True), ("2026-03-09T13:29:59.999Z", False), ("2026-03-09T13:30:00Z", True),
                 ("2026-10-30T13:30:00Z", True), ("2026-11-02T14:29:59.999Z", False), ("2026-11-02T14:30:00Z", True),
                 ("2026-03-08T18:00:00Z", False), ("2026-11-01T18:00:00Z", False)]
        for tz in ("UTC", "Asia/Tokyo", "America/New_York", ":/nonsense"):
            for at, inside in cases:
                got = self.decide(lines(order(orderType="Market", limitPrice=None)), at=at, env=dict(os.environ, TZ=tz))
                self.assertEqual("market-outside-hours" not in self.reasons(got[0]), inside, (tz, at))

    def test_accepted_orders_count_for_those_after_them(self):
        path = self.file("facts.json", FACTS)
        big = dict(orderQuantity=300, limitPrice=190)
        data = lines(order(clientOrderId="a", **big), order(clientOrderId="b", **big), order(clientOrderId="a"))
        got = self.decide(data, "-f", path, code=1)
        self.assertEqual(got[0]["verdict"], "accept")
        self.assertIn("buying-power-exceeded", self.reasons(got[1], "refuse"))
        self.assertIn("client-order-id-reused", self.reasons(got[2], "refuse"))
        alone = self.decide(data, "-f", path, "--independent", code=0)
        self.assertEqual({d["verdict"] for d in alone}, {"accept"})

    def test_assume_filled_lets_what_was_opened_be_closed(self):
        path = self.file("facts.json", FACTS)
        data = lines(order(clientOrderId="a"), order(clientOrderId="b", side="Sell", openClose="Close"))
        self.assertIn("close-without-position", self.reasons(self.decide(data, "-f", path)[1]))
        self.assertNotIn("close-without-position", self.reasons(self.decide(data, "-f", path, "--assume", "filled")[1]))

    # --- what is emitted

    def test_emit_orders_keeps_the_account_and_rejects_go_to_their_file(self):
        path, rejects = self.file("facts.json", FACTS), os.path.join(self.dir.name, "rejects")
        data = lines(order(accountId="LIVE0001", orderQuantity=1e2, extra=[1]), order(symbol="A/B"))
        p = self.run_gate(data, "-f", path, "--emit", "orders", "--rejects", rejects)
        self.assertEqual(p.returncode, 1)
        got = [json.loads(x) for x in p.stdout.splitlines()]
        self.assertEqual(got, [order(accountId="LIVE0001", orderQuantity=100)])
        with open(rejects) as f:
            self.assertEqual([json.loads(x)["line"] for x in f], [2])
        body = self.run_gate(data, "-f", path, "--emit", "bodies").stdout
        self.assertEqual(json.loads(body), order(orderQuantity=100))
        again = self.run_gate(self.run_gate(data, "-f", path, "--emit", "orders").stdout, "-f", path, "--emit",
                              "orders")
        self.assertEqual(again.stdout, p.stdout)

    def test_emitted_orders_stay_on_the_account_named(self):
        p = self.run_gate(lines(order()), "--account", "LIVE0001", "--emit", "orders")
        self.assertEqual(json.loads(p.stdout), order(accountId="LIVE0001"))
        p = self.run_gate(lines(order()), "--account", "LIVE0001", "--emit", "bodies")
        self.assertEqual(json.loads(p.stdout), order())

    def test_what_passes_and_cannot_be_written_is_left_out_and_told(self):
        policy = self.file("lax.yaml", b"""\
ordergate: 1
name: lax
rules:
  order-quantity: {level: off}
  size-limit: {level: off}
""")
        data = lines(order(orderQuantity=1e30), order(clientOrderId="b"), order(clientOrderId="c", orderQuantity=1e30))
        for how in (), ("--independent",), ("--assume", "filled"):
            p = self.run_gate(data, "-p", policy, "--emit", "orders", *how)
            self.assertEqual([json.loads(x)["clientOrderId"] for x in p.stdout.splitlines()], ["b"])
            told = p.stderr.decode().splitlines()
            self.assertIn(": 2 of 3 orders refused", told.pop())
            self.assertEqual([t.split(": ")[:3] for t in told],
                             [["ordergate check", f"stdin:{n}", "accepted, but left out"] for n in (1, 3)])
            self.assertEqual(p.returncode, 1)

    def test_named_files_are_named_and_lines_count_within_them(self):
        one, two = self.file("one", lines(order())), self.file("two", lines("", order(clientOrderId="b")))
        got = self.decide(b"", one, two, code=0)
        self.assertEqual([(d["file"], d["line"]) for d in got], [(one, 1), (two, 2)])

    def test_accounts(self):
        path = self.file("facts.json", FACTS)
        other = self.file("other.json",
                          dict(FACTS, accountId="PAPER0001", account=dict(FACTS["account"], account="PAPER0001")))
        got = self.decide(lines(order(accountId="LIVE0002")), "-f", path, "--account", "LIVE0001", code=1)
        self.assertIn("account-conflict", self.reasons(got[0], "refuse"))
        got = self.decide(lines(order()), "-f", path, "-f", other, code=1)
        self.assertIn("account-open", self.reasons(got[0], "refuse"))
        got = self.decide(lines(order()), "-f", path, "-f", other, "--account", "PAPER0001")
        self.assertEqual(got[0]["accountId"], "PAPER0001")

    def test_facts_lines_without_an_account_are_of_the_only_one(self):
        path = self.file("facts.json", FACTS)
        got = self.decide(lines({"op": "facts", "account": {"accountStatus": "Closed"}}, order()), "-f", path, code=1)
        self.assertEqual(self.reasons(got[0], "refuse"), ["account-not-active"])
        self.assertEqual(got[0]["accountId"], "LIVE0001")

    def test_quotes_and_borrow_states_are_of_every_account(self):
        path = self.file("facts.json", {k: v for k, v in FACTS.items() if k not in ("quotes", "borrow")})
        market = self.file("market.json", {"quotes": {"AAPL": {"bid": 100, "ask": 100.1}}, "borrow": {"AAPL": False}})
        for files in (["-f", path, "-f", market], ["-f", market, "-f", path]):
            got = self.decide(lines(order(side="Sell", limitPrice=50)), *files, code=1)
            self.assertEqual(self.reasons(got[0]), ["limit-away-from-quote", "short-hard-to-borrow-no-locate"])

    def test_facts_that_do_not_say_whose_they_are_leave_it_open_beside_others(self):
        path = self.file("facts.json", FACTS)
        nameless = self.file("nameless.json", {"positions": []})
        self.assertIn("account-open", self.reasons(self.decide(lines(order()), "-f", path, "-f", nameless, code=1)[0]))

    # --- a filter that runs for long

    def test_each_decision_comes_before_the_next_order(self):
        path = self.file("facts.json", FACTS)
        p = subprocess.Popen([GATE, "check", "--at", AT, "-f", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            for i in range(3):
                p.stdin.write(lines(order(clientOrderId="x%d" % i)))
                p.stdin.flush()
                self.assertEqual(json.loads(p.stdout.readline())["clientOrderId"], "x%d" % i)
            closed = dict(FACTS, account=dict(FACTS["account"], accountStatus="Closed"))
            os.rename(self.file("new", closed), path)
            p.stdin.write(lines(order(clientOrderId="y")))
            p.stdin.flush()
            self.assertIn("account-not-active", self.reasons(json.loads(p.stdout.readline())))
        finally:
            p.stdin.close()
            p.stdout.close()
            p.wait(timeout=600)

    def test_a_pipe_that_closes_early_ends_it_quietly(self):
        p = subprocess.Popen([GATE, "check", "--at", AT], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        p.stdout.close()
        try:
            for _ in range(20000):
                p.stdin.write(lines(order()))
        except BrokenPipeError:
            pass
        try:
            p.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(p.stderr.read(), b"")
        p.stderr.close()
        self.assertEqual(p.wait(timeout=600), -signal.SIGPIPE)

    def test_a_full_disk_is_4(self):
        with open("/dev/full", "wb") as full:
            p = subprocess.run([GATE, "check", "--at", AT], input=lines(order()), stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(p.returncode, 4)
        self.assertIn(b"stdout", p.stderr)

    def test_100_000_orders_in_order_within_bounded_memory(self):
        def peak(count):
            path = os.path.join(self.dir.name, "orders")
            with open(path, "wb") as f:
                for i in range(count):
                    f.write(lines(order(clientOrderId="m%d" % i, symbol="A/B" if i % 7 == 0 else "AAPL")))
            with open(path, "rb") as given:
                p = subprocess.Popen([GATE, "check", "--at", AT, "-f", self.file("f.json", FACTS), "--independent"],
                                     stdin=given, stdout=subprocess.PIPE)
            seen = 0
            for line in p.stdout:
                seen += 1
                self.assertIn(b'"line":%d,' % seen, line)
            p.stdout.close()
            _, status, usage = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual((seen, p.returncode), (count, 1))
            return usage.ru_maxrss

        few, many = peak(10000), peak(100000)
        if "asan" not in BIN:
            self.assertLessEqual(many - few, 1024, "KiB more at 100,000 orders than at 10,000")

    # --- faults

    def test_usage(self):
        for args in (["--emit", "all"], ["--at", "noon"], ["--nonsense"], ["--assume", "x"], ["--account", ""],
                     ["--independent", "--assume", "filled"]):
            p = self.run_gate(b"", *args, at=None)
            self.assertEqual((p.returncode, p.stdout), (2, b""), args)
            self.assertIn(b"ordergate check", p.stderr)
        p = self.run_gate(b"", "--help", at=None)
        self.assertEqual((p.returncode, p.stderr), (0, b""))
        self.assertIn(b"usage: ordergate check", p.stdout)

    def test_policies_and_facts_that_cannot_be_used_are_3(self):
        bad_policy = self.file("p.yaml", b"ordergate: 1\nname: p\nrules:\n  market-huors: refuse\n")
        p = self.run_gate(lines(order()), "-p", bad_policy)
        self.assertEqual((p.returncode, p.stdout), (3, b""))
        self.assertIn(b"p.yaml:4:3: error:", p.stderr)
        self.assertIn(b"market-hours", p.stderr)
        for content in (b"{", b'{"positions":7}', b'{"psoitions":[]}'):
            p = self.run_gate(lines(order()), "-f", self.file("f.json", content))
            self.assertEqual((p.returncode, p.stdout), (3, b""), content)
            self.assertIn(b"f.json", p.stderr)
        p = self.run_gate(lines(order()), "-f", os.path.join(self.dir.name, "absent"))
        self.assertEqual(p.returncode, 3)
        open_to_all = self.file("f.json", FACTS)
        os.chmod(open_to_all, 0o666)
        self.assertEqual(self.run_gate(lines(order()), "-f", open_to_all).returncode, 3)

    def test_rows_of_another_account_than_the_documents_are_3(self):
        row = {"symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderQuantity": 90, "orderStatus": "New"}
        for path, wrap in (("orders[0]", lambda r: {"orders": [r]}),
                           ("gate.inFlight[0]", lambda r: {"gate": {"inFlight": [r]}}),
                           ("gate.recent[0]", lambda r: {"gate": {"recent": [{"at": AT, **r}]}})):
            for other in ("DESK9", "LIVE0001 "):
                facts = self.file("f.json", {**FACTS, **wrap({"accountId": other, **row})})
                p = self.run_gate(lines(order()), "-f", facts)
                self.assertEqual((p.returncode, p.stdout), (3, b""), (path, other))
                for said in (path + ".accountId", '"%s"' % other, '"LIVE0001"'):
                    self.assertIn(said.encode(), p.stderr)
            facts = self.file("f.json", {**FACTS, **wrap({"accountId": "live0001", **row})})
            self.assertEqual(self.run_gate(lines(order()), "-f", facts).returncode, 0, path)

    def test_an_orders_file_that_is_not_there_is_4(self):
        good = self.file("good", lines(order()))
        p = self.run_gate(b"", os.path.join(self.dir.name, "absent"), good)
        self.assertEqual(p.returncode, 4)
        self.assertEqual(len(p.stdout.splitlines()), 1)


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
