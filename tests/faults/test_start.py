"""Errors before anything is sent: in secrets and files, TLS, quotes, the clock, and usage."""
import itertools
import json
import os
import stat
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import LIVE, PAPER, Paper, in_some_run, stock
from parallel_unittest import main
from sender import RUNNING, SEND, Sender, TempHome, posts, resting, send

LIVE_ENV = {"ORDERGATE_ENVIRONMENT": "live"}


def live(order_id):
    return resting(order_id, route="SMART")


def streamed(case, url, home, *args, **more):
    """Run with one order at a time, until the stream is the first to report an order: a look-up may be faster."""
    numbers = itertools.count()

    def run():
        order_id = f"o{next(numbers)}"
        code, gate = send(url, home, [resting(order_id)], *args, **more)
        case.assertEqual((code, gate.outcomes()), (0, {order_id: "working"}), gate.stderr)
        case.assertNotIn("no stream", gate.stderr)
        return "stream" in {e["source"] for e in gate.events_of("update")}
    in_some_run(run)


class Refused(unittest.TestCase):
    """Nothing is posted, and the exit code and stderr say why."""

    def refuse(self, url, code, words, *args, lines=None, **more):
        with TempHome() as home:
            seen, gate = self.run_it(url, home, [resting("o")] if lines is None else lines, *args, **more)
            self.assertEqual(seen, code, gate.stderr)
            for word in words:
                self.assertIn(word, gate.stderr)
            self.assertEqual(set(gate.outcomes().values()) - {"not-sent"}, set())

    def run_it(self, url, home, lines, *args, **more):
        with Sender(url, home, *args, **more) as gate:
            try:
                gate.feed(*lines)
                gate.process.stdin.close()
            except BrokenPipeError:
                pass
            return gate.finish(), gate

    def test_an_account_that_is_not_paper(self):
        with Paper(clock=RUNNING) as p:
            self.refuse(p.url, 2, ["LIVE0001", "not Paper", "-p"], keys=LIVE, lines=[live("o")], env=LIVE_ENV)
            self.refuse(p.url, 2, ["LIVE0001", "environment: live"], "-p", "default", keys=LIVE, lines=[live("o")])
            self.refuse(p.url, 2, ["LIVE0001"], "-p", "live", keys=LIVE, lines=[live("o")],
                        env={"ORDERGATE_ENVIRONMENT": "paper"})
            self.assertEqual(posts(p), [])
            with TempHome() as home:
                code, gate = send(p.url, home, [live("o")], "-p", "default", keys=LIVE, env=LIVE_ENV)
                self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))

    def test_a_live_account_under_a_policy_that_sends_what_it_cannot_limit(self):
        limit = "rules:\n  order-notional: {level: refuse, most: 5000}\n"
        with Paper(clock=RUNNING) as p, TempHome() as home:
            for said, env, warned in (("", LIVE_ENV, True), ("extends: [default]\n", LIVE_ENV, True),
                                      ("environment: live\n", None, True), ("unsure: refuse\n", LIVE_ENV, False),
                                      ("extends: [live]\n", LIVE_ENV, False)):
                with self.subTest(said):
                    policy = home.file("p.yaml", f"ordergate: 1\nname: mine\n{said}{limit}")
                    more = {"env": env} if env else {}
                    gate = send(p.url, home, [], "-p", policy, "--dry-run", keys=LIVE, **more)[1]
                    told = "warning: environment is live, and policy mine sends orders whose limits it cannot decide"
                    self.assertEqual(gate.stderr.count(told), int(warned), gate.stderr)
                    self.assertEqual(gate.stderr.count("'order-notional'"), int(warned), gate.stderr)
            policy = home.file("p.yaml", f"ordergate: 1\n{limit}")
            self.assertNotIn("cannot decide", send(p.url, home, [], "-p", policy, "--dry-run")[1].stderr)

    def test_a_dry_run_says_that_a_run_would_not_begin(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            for env, told in (({}, True), (LIVE_ENV, False)):
                code, gate = send(p.url, home, [live("o")], "-p", "default", "--dry-run", keys=LIVE, env=env)
                self.assertEqual((code, gate.outcomes()), (0, {"o": "not-sent"}))
                for words in ("account 'LIVE0001' is Live, not Paper", "ORDERGATE_ENVIRONMENT=live",
                              "a run without --dry-run ends here with exit code 2"):
                    self.assertEqual(words in gate.stderr, told, gate.stderr)

    def test_a_policy_may_say_it_and_the_users_own_word_is_stronger(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            policy = home.file("p.yaml", "ordergate: 1\nname: mine\nextends: [default]\nenvironment: live\n")
            self.refuse(p.url, 2, ["LIVE0001"], "-p", policy, keys=LIVE, lines=[live("o")],
                        env={"ORDERGATE_ENVIRONMENT": "paper"})
            code, gate = send(p.url, home, [live("o")], "-p", policy, keys=LIVE)
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))
            code, gate = send(p.url, home, [resting("q")], "-p", policy)  # a paper account
            self.assertEqual((code, gate.outcomes()), (1, {"q": "refused"}))

    def test_a_paper_account_that_is_called_live(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("o")], "-p", "live", env=LIVE_ENV)
            self.assertEqual((code, gate.outcomes(), posts(p)), (1, {"o": "refused"}, []))

    def test_an_account_the_keys_do_not_reach(self):
        with Paper(clock=RUNNING) as p:
            self.refuse(p.url, 4, ["LIVE0001", "PAPER0001"], "--account", "LIVE0001")
            self.refuse(p.url, 4, ["LIVE0001"], env={"ORDERGATE_ACCOUNT": "LIVE0001"})
            self.refuse(p.url, 4, ["keys"], keys=("paper-key", "of-nobody"))
            self.assertEqual(posts(p), [])
            with TempHome() as home:
                code, gate = send(p.url, home,
                                  [resting("o", accountId="LIVE0001"), resting("p", accountId="PAPER0001")])
                self.assertEqual((code, gate.outcomes()), (1, {"o": "refused", "p": "working"}))

    def test_a_broker_that_is_not_there(self):
        self.refuse("http://127.0.0.1:9", 4, ["127.0.0.1:9"])

    def test_lines_of_an_earlier_run_are_not_told_as_not_sent(self):
        """The broker cannot be reached, but the ledger has these orders: they are reported as the ledger has them.
        Reported as not sent, they might be sent again."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            mine = {"ORDERGATE_ACCOUNT": "PAPER0001"}
            lines = [resting("works"), stock("fills")]
            send(p.url, home, lines, "--until", "final", "--wait", "3s", env=mine)
            self.assertEqual([home.newest_row(i)["state"] for i in ("works", "fills")], ["working", "filled"])
            p.control("POST", "faults", {"on": "POST order", "do": "drop-request"})
            with Sender(p.url, home, lines=[resting("open")], env=mine) as gate:
                gate.wait_row("id = 'open' AND record = 'intent'")
                gate.kill().process.wait()
            lines = [*lines, resting("open"), resting("new"), resting("works", limitPrice=149)]
            code, gate = send("http://127.0.0.1:9", home, lines, env=mine)
            self.assertEqual([(e["clientOrderId"], e["outcome"], e["executed"]) for e in gate.events_of("outcome")],
                             [("works", "working", 0), ("fills", "filled", 10), ("open", "unknown", 0),
                              ("new", "not-sent", 0), ("works", "not-sent", 0)])
            self.assertEqual(code, 5, gate.stderr)

    def test_what_is_not_encrypted(self):
        for url in ("http://192.0.2.1", "http://127.0.0.1.example.com", "ws://127.0.0.1", "ftp://127.0.0.1",
                    "http://user@127.0.0.1"):
            self.refuse(url, 2, ["ORDERGATE_BASE_URL"] if not url.startswith("http://1") else ["http"], lines=[])
        self.refuse("http://127.0.0.1:9", 2, ["ws://192.0.2.1"], lines=[], env={"ORDERGATE_WS_URL": "ws://192.0.2.1"})

    def test_usage(self):
        for args in (["--wait", "soon"], ["--until", "never"], ["--max-in-flight", "0"], ["--timeout", "0s"],
                     ["--nonsense"]):
            self.refuse("http://127.0.0.1:9", 2, ["ordergate"], *args, lines=[])
        self.refuse("http://127.0.0.1:9", 3, ["nowhere"], "-p", "nowhere", lines=[])
        self.refuse("http://127.0.0.1:9", 3, ["nowhere.json"], "-f", "nowhere.json", lines=[])
        self.refuse("http://127.0.0.1:9", 2, ["ORDERGATE_CLOCK"], lines=[], env={"ORDERGATE_CLOCK": "sundial"})
        for settle in ("soon", "-1s", "2m"):
            self.refuse("http://127.0.0.1:9", 2, ["ORDERGATE_SETTLE", settle, "0s to 1m"], lines=[],
                        env={"ORDERGATE_SETTLE": settle})
        for option in ("--help", "--version"):
            done = subprocess.run([SEND, option], capture_output=True, text=True, timeout=600)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("ordergate", done.stdout)


class Files(unittest.TestCase):
    def broker_file(self, home, url, **more):
        text = {"base_url": url, "key_id": PAPER[0], "secret_key_file": "secret", "clock": "broker", **more}
        return home.file("broker.yaml", "".join(f"{k}: {v}\n" for k, v in text.items()))

    def plain(self, home, *args, lines=()):
        if not os.path.exists(os.path.join(home.path, "secret")):
            home.file("secret", PAPER[1])
        env = {"ORDERGATE_BASE_URL": None, "ORDERGATE_KEY_ID": None, "ORDERGATE_SECRET_KEY": None,
               "ORDERGATE_CLOCK": None}
        with Sender("", home, *args, env=env) as gate:
            try:
                gate.feed(*lines).close_input()
            except BrokenPipeError:
                pass
            return gate.finish(), gate

    def test_a_broker_file(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = self.plain(home, "--broker", self.broker_file(home, p.url), lines=[resting("o")])
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))
            self.assertEqual([n for n in home.files_with(PAPER[1]) if n != "secret"], [])

    def test_a_secret_others_may_read(self):
        for mode in (0o640, 0o604, 0o660):
            with TempHome() as home:
                home.file("secret", PAPER[1], mode)
                code, gate = self.plain(home, "--broker", self.broker_file(home, "http://127.0.0.1:9"))
                self.assertEqual(code, 4)
                self.assertIn("chmod 600", gate.stderr)

    def test_a_secret_in_the_broker_file(self):
        with TempHome() as home:
            code, gate = self.plain(home, "--broker", self.broker_file(home, "http://127.0.0.1:9", secret_key=PAPER[1]))
            self.assertEqual(code, 2)
            self.assertIn("secret_key_file", gate.stderr)

    def test_a_misspelt_key(self):
        with TempHome() as home:
            code, gate = self.plain(home, "--broker", self.broker_file(home, "http://127.0.0.1:9", acount="X"))
            self.assertEqual(code, 2)
            self.assertIn("did you mean 'account'", gate.stderr)

    def test_modes(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            old = os.umask(0)
            try:
                code, _ = send(p.url, home, [resting("o")], ledger=False)
            finally:
                os.umask(old)
            self.assertEqual(code, 0)
            folder = os.path.join(home.path, "state", "ordergate")
            self.assertIn("ledger.db", os.listdir(folder))
            for at, _, names in os.walk(folder):
                self.assertEqual(stat.S_IMODE(os.stat(at).st_mode), 0o700, at)
                for name in names:
                    self.assertEqual(stat.S_IMODE(os.stat(os.path.join(at, name)).st_mode), 0o600, name)
            self.assertEqual(home.files_with(PAPER[1]), [])

    def test_how_to_cancel_without_policy_and_ledger(self):
        """A run that cannot begin cancels nothing either, so it says what does."""
        with TempHome() as home:
            missing = os.path.join(home.path, "none")
            broker = home.file("desk's.yaml", "base_url: http://127.0.0.1:9\n")
            home.file("bad.db", "no database at all, but long enough to look like a file" * 100)
            for args in (("-p", missing), ("-p", home.file("bad.yaml", "ordergate: 1\nrules: {no-such: refuse}\n")),
                         ("-p", "live", "-f", missing), ("-p", "live", "-f", home.file("bad.json", "{")),
                         ("-p", "live", "--ledger", os.path.join(home.path, "bad.db")),
                         ("-p", "live", "--ledger", os.path.join(home.path, "bad.db", "x.db"))):
                for named, command in ((("--account", "PAPER0001"), "ordergate broker --account PAPER0001 cancel ID"),
                                       (("--broker", broker), "ordergate broker --broker '%s' cancel ID"
                                        % broker.replace("'", "'\\''"))):
                    with self.subTest(args=args, named=named):
                        code, gate = send("http://127.0.0.1:9", home, ['{"op":"cancel","clientOrderId":"a"}'], *args,
                                          *named, orders=0)
                        self.assertIn(code, (3, 4))
                        self.assertIn("no cancel either; to cancel without policy and ledger: " + command, gate.stderr)
            with Sender("http://127.0.0.1:9", home, "-p", missing, "--dry-run") as gate:
                self.assertEqual(gate.finish(), 3)
                self.assertNotIn("ordergate broker", gate.stderr)

    def test_a_ledger_others_may_write(self):
        with TempHome() as home:
            home.file("ledger.db", "", 0o666)
            with Sender("http://127.0.0.1:9", home) as gate:
                self.assertEqual(gate.finish(), 4)
                self.assertIn("may be written by others", gate.stderr)
        with TempHome() as home:
            home.file("ledger.db", "no database at all, but long enough to look like a file" * 100)
            with Sender("http://127.0.0.1:9", home) as gate:
                self.assertEqual(gate.finish(), 4)
                self.assertIn("ledger.db", gate.stderr)


class Tls(unittest.TestCase):
    def test_only_a_known_authority(self):
        with TempHome() as home:
            cert, key = os.path.join(home.path, "cert.pem"), os.path.join(home.path, "key.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1",
                            "-days", "2", "-addext",
                            "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", cert], check=True,
                           capture_output=True)
            with Paper("--tls-cert", cert, "--tls-key", key, clock=RUNNING, control=False) as p:
                self.assertTrue(p.url.startswith("https://"), p.url)
                with Sender(p.url, home) as gate:
                    gate.feed(resting("o"))
                    gate.wait_stderr("cannot reach")
                    self.assertEqual(gate.finish(), 4)
                    self.assertIn("certificate", gate.stderr)
                broker = home.file("b.yaml", "ca_file: cert.pem\n")
                streamed(self, p.url, home, "--broker", broker)
                code, gate = send(p.url.replace("127.0.0.1", "localhost"), home, [resting("other")], "--broker", broker)
                self.assertEqual((code, gate.outcomes()), (0, {"other": "working"}))
            other_cert, other_key = os.path.join(home.path, "other.pem"), os.path.join(home.path, "other.key")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=example.com",
                            "-days", "2", "-addext",
                            "subjectAltName=DNS:example.com", "-keyout", other_key, "-out", other_cert], check=True,
                           capture_output=True)
            with Paper("--tls-cert", other_cert, "--tls-key", other_key, clock=RUNNING, control=False) as p:
                broker = home.file("b.yaml", "ca_file: other.pem\n")
                with Sender(p.url, home, "--broker", broker) as gate:
                    gate.wait_stderr("cannot reach")
                    self.assertEqual(gate.finish(), 4, "a name that does not match")
            with Paper(clock=RUNNING) as rest, \
                    Paper("--tls-cert", other_cert, "--tls-key", other_key, clock=RUNNING, control=False) as stream:
                # an unknown authority, then a name that does not match
                for number, trusted in enumerate(("cert.pem", "other.pem")):
                    line = resting(f"s{number}")
                    code, gate = send(rest.url, home, [line], "--broker", home.file("b.yaml", f"ca_file: {trusted}\n"),
                                      env={"ORDERGATE_WS_URL": stream.url.replace("https", "wss")})
                    self.assertEqual((code, gate.outcomes()), (0, {f"s{number}": "working"}), gate.stderr)
                    self.assertIn("no stream (TLS failed: the certificate", gate.stderr)
                    self.assertNotIn("stream", {e["source"] for e in gate.events_of("update")})


class Facts(unittest.TestCase):
    POLICY = "ordergate: 1\nname: q\nrules:\n  stop-price: {level: refuse}\n"
    LINE = {"orderType": "Stop", "limitPrice": None, "stopPrice": 180, "route": "SMART"}

    def seen(self, gate, order_id):
        return [(f["reason"], f.get("unsure", False)) for f in gate.event("decision", order_id)["findings"]
                if f["rule"] == "stop-price"]

    def quote(self, bid, ask, at="2026-01-15T15:00:00Z"):
        return json.dumps({"symbol": "AAPL", "bid": bid, "ask": ask, "last": ask, "asOf": at}) + "\n"

    def test_quotes_of_a_file(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            quotes = home.file("q.ndjson", self.quote(170, 171) + "what\n" + self.quote(190, 191))
            code, gate = send(p.url, home, [stock("o", **self.LINE)], "-p", home.file("p.yaml", self.POLICY),
                              "--quotes", quotes, keys=LIVE, env=LIVE_ENV)
            self.assertEqual(self.seen(gate, "o"), [("stop-wrong-side-of-quote", False)])
            self.assertIn("line 2", gate.stderr)

    def test_quotes_of_a_fifo(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            fifo = os.path.join(home.path, "fifo")
            os.mkfifo(fifo)
            policy = home.file("p.yaml", self.POLICY)
            with Sender(p.url, home, "-p", policy, "--quotes", fifo, keys=LIVE, env=LIVE_ENV) as gate:
                gate.feed(stock("before", **self.LINE))
                self.assertEqual(self.seen(gate, "before"), [("stop-wrong-side-of-quote", True)])
                with open(fifo, "w") as f:
                    f.write("junk\n" + self.quote(190, 191) + "more junk\n")
                gate.wait_stderr("line 3")  # so the quote before it is known
                gate.feed(stock("after", **self.LINE))
                self.assertEqual(self.seen(gate, "after"), [("stop-wrong-side-of-quote", False)])
                gate.event("outcome", "after")
                self.assertIn(gate.finish(2), (0, 1))

    def test_quotes_given_before_the_broker_told_its_time(self):
        """The quotes are dated within the second of the broker's first Date, which has whole seconds."""
        quote = self.quote(190, 191, "2026-01-15T15:00:00.900Z")
        with Paper() as p, TempHome() as home:  # its clock stands
            policy, fifo = home.file("p.yaml", self.POLICY), os.path.join(home.path, "fifo")
            os.mkfifo(fifo)
            with open(fifo, "r+b", buffering=0) as f:
                f.write(quote.encode())
                for kind, quotes in (("file", home.file("q.ndjson", quote)), ("fifo", fifo)):
                    with self.subTest(kind):
                        _, gate = send(p.url, home, [stock(kind, **self.LINE)], "-p", policy, "--quotes", quotes,
                                       keys=LIVE, env=LIVE_ENV)
                        self.assertEqual(self.seen(gate, kind), [("stop-wrong-side-of-quote", False)])

    def test_facts_files(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            facts = home.file("f.json", json.dumps({"usedClientOrderIds": ["used"]}))
            code, gate = send(p.url, home, [resting("used"), resting("free")], "-f", facts)
            self.assertEqual((code, gate.outcomes()), (1, {"used": "refused", "free": "working"}))
            bad = home.file("g.json", '{"account":17}')
            self.assertEqual(send(p.url, home, [], "-f", bad)[0], 3)

    def test_facts_files_dated_ahead(self):
        """The facts files are newer than the first reading. Lines are decided nevertheless, and readings are used again
        later."""
        for at in ("2026-01-15T15:00:02Z", "2026-01-15T15:00:06Z", "2029-01-15T15:00:00Z"):
            for keys in ({"positions": []}, {"orders": []}, {"positions": [], "orders": [], "account": {"bp": 1}}):
                with self.subTest(at=at, keys=list(keys)), Paper(clock=RUNNING) as p, TempHome() as home:
                    p.control("PUT", "positions/PAPER0001", [{"symbol": "F", "side": "Long", "shares": 100,
                                                              "priceAvg": 12, "dayOvernight": "Day"}])
                    facts = home.file("f.json", json.dumps({"accountId": "PAPER0001", "asOf": at, **keys}))
                    with Sender(p.url, home, "-f", facts, "--timeout", "5m") as gate:
                        gate.feed(resting("a"))
                        gate.event("outcome", "a")
                        for i in range(100000):
                            gate.feed(stock(f"c{i}", symbol="F", side="Sell", openClose="Close", orderQuantity=100,
                                            limitPrice=20))
                            if gate.event("outcome", f"c{i}")["outcome"] == "working":
                                break
                        gate.feed({"op": "cancel", "clientOrderId": f"c{i}"})
                        self.assertEqual(gate.event("outcome", f"c{i}", op="cancel")["outcome"], "canceled")

    def test_the_clock(self):
        """Outside the session a market order is refused, by the broker's clock if that is configured, otherwise by the
        machine's clock."""
        market = {"orderType": "Market", "limitPrice": None}
        policy = "ordergate: 1\nname: h\nrules:\n  market-hours: refuse\n"
        with Paper(clock="2026-01-15T22:00:00Z@1") as p, TempHome() as home:
            code, gate = send(p.url, home, [stock("night", **market)], "-p", home.file("p.yaml", policy))
            self.assertEqual((code, gate.outcomes()), (1, {"night": "refused"}))
            self.assertTrue(gate.event("decision", "night")["at"].startswith("2026-01-15T22:"))
            code, gate = send(p.url, home, [resting("real")], env={"ORDERGATE_CLOCK": None})
            self.assertFalse(gate.event("decision", "real")["at"].startswith("2026-01-15"))
        with TempHome() as home:
            with Sender("https://192.0.2.1", home) as gate:
                self.assertEqual(gate.finish(), 2)
                self.assertIn("ORDERGATE_CLOCK: 'broker' is allowed for", gate.stderr)

    def test_header_prefix(self):
        with Paper("--header-prefix", "ACME", clock=RUNNING, control=False) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("o")], env={"ORDERGATE_HEADER_PREFIX": "ACME"})
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))

    def test_ids_are_encoded_in_paths(self):
        odd = "a/b?c#d%e f:g"
        with Paper() as p, FaultProxy(p, streams=False) as b, TempHome() as home:
            with Sender(b.url, home, "--wait", "20s") as gate:
                gate.feed(resting(odd))
                gate.event("posted", odd)
                p.advance("1s")
                self.assertEqual(gate.event("outcome", odd)["outcome"], "working")
                gate.finish(1)
            self.assertIn(("GET", "/v1/api/accounts/PAPER0001/order/a%2Fb%3Fc%23d%25e%20f%3Ag"), b.paths)

    def test_a_proxy_is_not_used_for_loopback(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            proxies = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "ALL_PROXY")}
            streamed(self, p.url, home, env=proxies)


class Closed(unittest.TestCase):
    """Standard input, output or error are closed, as daemons and cron may have them."""

    SETS = ((0,), (1,), (2,), (0, 1), (0, 1, 2))

    def test_send(self):
        for closed in self.SETS:
            with self.subTest(closed=closed), Paper(clock=RUNNING) as p, TempHome() as home:
                orders = home.file("orders", json.dumps(resting("a")) + "\n" + json.dumps(resting("b")) + "\n")
                with Sender(p.url, home, orders, preexec_fn=lambda: [os.close(n) for n in closed]) as gate:
                    self.assertEqual(gate.finish(), 4 if 1 in closed else 0, gate.stderr)
                    self.assertEqual(len(posts(p)), 0 if 1 in closed else 2)

    def test_others(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            env = {"HOME": home.path, "XDG_STATE_HOME": os.path.join(home.path, "state"), "ORDERGATE_BASE_URL": p.url,
                   "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_SECRET_KEY": PAPER[1]}
            send(p.url, home, [resting("a")])
            for closed in self.SETS:
                for name, *args in (("broker", "orders"), ("halt",), ("resume",), ("halt", "--cancel-own"), ("resume",),
                                    ("ledger", "--ledger", home.ledger, "list"), ("watch", "--for", "1s"),
                                    ("waive", "--help")):
                    with self.subTest(name, args=args, closed=closed):
                        done = subprocess.run([f"{SEND.rsplit('-', 1)[0]}-{name}", *args], env=env, timeout=600,
                                              capture_output=True, check=False,
                                              preexec_fn=lambda: [os.close(n) for n in closed])
                        self.assertGreaterEqual(done.returncode, 0, done.stderr)
                        self.assertNotEqual(done.returncode, 134)


if __name__ == "__main__":
    main()
