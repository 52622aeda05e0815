"""ordergate broker: every call is compared with the service's own answers. Also errors, pages, budgets, and a facts
file."""
import http.server
import json
import os
import re
import stat
import subprocess
import threading
import unittest
import zlib

from endpoints import Endpoints
from locates import CANCELED, FILLED
from paper import LIVE, PAPER, REGULAR, Paper, SomeFile, in_some_run, stock
from parallel_unittest import main
from programs import BIN, Programs
from request_limits import RequestLimits

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
READS = {"accounts": "accounts", "account": "account/LIVE0001", "pnl": "accounts/LIVE0001/pnl",
         "positions": "accounts/LIVE0001/positions", "closed": "accounts/LIVE0001/positions/closed",
         "routes": "accounts/LIVE0001/routes", "orders": "accounts/LIVE0001/orders",
         "order a": "accounts/LIVE0001/order/a",
         "order m": "accounts/LIVE0001/order/m", "borrow GME": "accounts/LIVE0001/is-easy-to-borrow/symbol/GME",
         "cash 2026-01-15": "accounts/LIVE0001/cash-transactions/start-date/2026-01-15",
         "history 2026-01-15": "accounts/LIVE0001/orders-with-pagination/start-date/2026-01-15",
         "history 2026-01-15 --week": "accounts/LIVE0001/orders/start-date/2026-01-15",
         "locate-history": "accounts/LIVE0001/locates/history",
         "locate-inventory": "accounts/LIVE0001/locates/inventory"}


class Calls(Programs, Endpoints):
    def test_reads_print_what_the_service_wrote(self):
        self.busy()
        for call, path in READS.items():
            with self.subTest(call=call):
                out, words = self.run_broker(*call.split())
                self.assertEqual((out, words), (self.p.get(path, LIVE).text + "\n", ""))

    def test_which_account(self):
        """The account is the only one of the keys, the one of the environment, or the one that an option or argument
        names. The case of ids does not matter."""
        whose = "LIVE0001"
        self.assertEqual(self.asked("account")["account"], whose)
        self.assertEqual(self.asked("account", "live0001")["account"], whose)
        self.assertEqual(self.asked("account", "--account", whose)["account"], whose)
        self.run_broker("account", code=1, ORDERGATE_ACCOUNT="PAPER0001")
        self.assertEqual(self.asked("account", keys=PAPER)["account"], "PAPER0001")

    def test_ids_are_encoded_in_paths(self):
        self.send("a/b:c d?", limitPrice=100)
        self.assertEqual(self.asked("order", "a/b:c d?")["clientOrderId"], "a/b:c d?")

    def test_cancel(self):
        self.rest("a")
        self.run_broker("cancel", "a")
        self.p.advance("1s")
        self.assertEqual(self.asked("order", "a")["orderStatus"], "Canceled")
        _, words = self.run_broker("cancel", "a", code=1)
        self.assertIn("DELETE order: 404", words)

    def test_cancel_all(self):
        for name in ("a", "b"):
            self.rest(name)
        self.send("m", symbol="MSFT", limitPrice=10)
        self.p.advance("1s")
        self.assertIn("message", self.asked("cancel-all", "--symbol", "MSFT"))
        self.p.advance("1s")
        self.assertEqual([self.status(n) for n in "abm"], ["New", "New", "Canceled"])
        self.run_broker("cancel-all")
        self.p.advance("1s")
        self.assertEqual([self.status(n) for n in "ab"], ["Canceled", "Canceled"])

    def test_locate_calls(self):
        self.assertEqual(self.asked("locate-quote", "GME", "200", "q"), {"locateQuoteSent": "true"})
        self.p.advance("2s")
        self.assertEqual(self.asked("locate-accept", "q"), {"locateAcceptSent": "true"})
        self.assertEqual(self.asked("locate-inventory")["locateInventory"][0]["available"], 200)
        self.run_broker("locate-sell", "--id", "s", "--type", "Locate", "--quantity", "100", "--symbol", "GME")
        self.assertEqual(self.asked("locate-cancel", "s"), {"locateCancelSent": "true"})
        rows = {r["quoteReqID"]: r["locateStatus"] for r in self.asked("locate-history")["locateHistory"]}
        self.assertEqual(rows, {"q": FILLED, "s": CANCELED})

    def test_gzip(self):
        """A compressed answer is printed uncompressed."""
        reply = self.p.call("GET", "/v1/api/accounts", keys=LIVE, headers={"Accept-Encoding": "gzip"})
        self.assertEqual(reply.headers["Content-Encoding"], "gzip")
        self.assertEqual(self.asked("accounts"), self.p.get("accounts", LIVE).json)

    def test_what_unpacks_to_far_more(self):
        """An answer of about 1 MB that unpacks to 256 MB is given up at 16 MB, and little memory is used."""
        # compressed in pieces, because the peak memory of a child includes what its parent had
        packer = zlib.compressobj(1, wbits=31)
        packed = b"".join([packer.compress(b"["), *(packer.compress(b" " * (1 << 20)) for _ in range(256)),
                           packer.flush()])

        class Bomb(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                for name, value in (("Content-Type", "application/json"), ("Content-Encoding", "gzip"),
                                    ("Content-Length", str(len(packed)))):
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(packed)
                except OSError:
                    pass  # it hung up

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bomb) as service:
            threading.Thread(target=service.serve_forever, daemon=True).start()
            env = {**os.environ, "ORDERGATE_BASE_URL": f"http://127.0.0.1:{service.server_port}",
                   "ORDERGATE_KEY_ID": LIVE[0], "ORDERGATE_SECRET_KEY": LIVE[1]}
            with subprocess.Popen([f"{BIN}/ordergate", "broker", "accounts"], env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as call:
                out, words = call.stdout.read(), call.stderr.read()
                _, status, used = os.wait4(call.pid, 0)
                call.returncode = os.waitstatus_to_exitcode(status)
            service.shutdown()
        self.assertEqual((call.returncode, out), (4, ""), words)
        self.assertIn("16 MB", words)
        self.assertLess(used.ru_maxrss, 224 << 10)  # KiB; a sanitizer keeps freed memory for a while

    def test_large_numbers_stay_as_they_are(self):
        self.buy(5, 10, "F")
        self.sell(5, 11.05, "F")
        self.p.advance("2s")
        text = self.p.get("accounts/LIVE0001/positions/closed", LIVE).text
        self.assertRegex(text, r'"positionId":\d{16,}')
        self.assertEqual(self.run_broker("closed")[0], text + "\n")


class Pages(Programs, Endpoints):
    def test_all_pages_as_one(self):
        for i in range(7):
            self.buy(1, 10 + i, "F")
        whole = self.p.get("accounts/LIVE0001/orders-with-pagination/start-date/2026-01-15", LIVE).json
        self.assertEqual(whole["pagination"]["totalRecords"], 7)
        before = len(self.requests("GET", "with-pagination"))
        paged = self.asked("history", "2026-01-15", "--limit", "3", "--all")
        self.assertEqual(paged["tradingHistory"], whole["tradingHistory"])
        self.assertEqual(paged["pagination"]["totalRecords"], 7)
        self.assertEqual(len(self.requests("GET", "with-pagination")) - before, 3)
        self.assertEqual(self.asked("history", "2026-01-15", "--limit", "3", "--offset", "5",
                                    "--all")["tradingHistory"],
                         whole["tradingHistory"][5:])

    def test_one_page(self):
        for i in range(3):
            self.buy(1, 10 + i, "F")
        page = self.asked("history", "2026-01-15", "--limit", "2", "--offset", "1", "--days", "5", "--symbol", "F")
        self.assertEqual((len(page["tradingHistory"]), page["pagination"]),
                         (2, {"currentLimit": 2, "currentOffset": 1, "totalRecords": 3}))

    def test_dates_and_numbers_are_looked_at_first(self):
        before = len(self.requests())
        for call in (("cash", "2026-1-5"), ("cash", "20260105"), ("history", "20260105"), ("history", "2026-02-30"),
                     ("history", "2026-01-15", "--days", "366")):
            with self.subTest(call=call):
                self.run_broker(*call, "--account", "LIVE0001", code=2 if "--days" in call else 1)
        self.run_broker("history", "2026-01-15", "--limit", "x", code=2)
        self.assertEqual(len(self.requests()), before)
        _, words = self.run_broker("history", "20260105", "--force", code=1)
        self.assertIn("404", words)

    def test_every_form_of_a_date(self):
        for date in ("2026-01-15", "2026-1-5", "01-15-2026", "2026-01-15T00:00:00Z", "2026-01-15T00:00:00+01:00"):
            with self.subTest(date=date):
                self.assertIn("tradingHistory", self.asked("history", date))


class Errors(Programs, Endpoints):
    def told(self, word, *args, code=1, **more):
        out, words = self.run_broker(*args, code=code, **more)
        self.assertEqual(out, "")
        self.assertIn(word, words)

    def test_no_such_thing(self):
        self.told("404: Not found", "order", "none")

    def test_a_whole_answer_of_each_kind(self):
        """Each status of the document is told by its Content-Type. The exit code is 4 for those that are not a
        rejection."""
        for status, code in ((400, 1), (401, 1), (404, 1), (405, 1), (415, 1), (418, 4)):
            with self.subTest(status=status):
                self.fault("GET orders", "status", status=status)
                self.told(f"GET orders: {status}", "orders", code=code)

    def test_a_success_that_is_not_the_document(self):
        """If a 200 has no JSON, the read counts as not answered."""
        self.fault("GET orders", "status", status=200, count=9)
        self.told("the answer cannot be read", "orders", code=4)

    def test_json_and_text_are_told_by_content_type(self):
        self.told("POST locate-quote: 400: Account was not found or lacks entitlements", "locate-quote", "GME", "100",
                  "q", "--account", "NOPE")
        self.told("Quantity: The field Quantity must be between", "locate-quote", "GME", "50", "q", "--force")
        self.told("401", "cancel", "x", "--account", "LIVE0001", keys=("live-key", "wrong-secret"))

    def test_keys_that_are_not_known(self):
        self.told("404", "accounts", keys=("live-key", "wrong-secret"))

    def test_a_read_is_asked_again(self):
        for do in ("drop-request", "drop-reply", "reset", "truncate"):
            with self.subTest(do=do):
                before = len(self.requests("GET", "/orders"))
                self.fault("GET orders", do)
                self.assertEqual(self.asked("orders"), {"orders": []})
                self.assertEqual(len(self.requests("GET", "/orders")) - before, 2)
        self.fault("GET orders", "status", status=503)
        self.assertEqual(self.asked("orders"), {"orders": []})

    def test_a_read_that_stays_unanswered(self):
        self.fault("GET orders", "hang", count=9)
        self.told("GET orders", "--account", "LIVE0001", "orders", "--timeout", "200ms", "--wait", "300ms", code=4)
        self.fault("GET positions", "status", status=500, count=9)
        self.told("GET positions: 500", "positions", code=4)

    def test_what_creates_is_asked_once(self):
        """After a lost answer the exit code is 5, and only one request was sent."""
        for do in ("drop-reply", "truncate", "status"):
            with self.subTest(do=do):
                self.fault("POST locate-quote", do, status=503)
                before = len(self.requests("POST"))
                self.told("POST locate-quote", "locate-quote", "GME", "100", f"q-{do}", code=5)
                self.assertEqual(len(self.requests("POST")) - before, 1)

    def test_a_cancel_is_asked_again(self):
        self.rest("a")
        self.fault("DELETE order", "drop-request")
        self.run_broker("cancel", "a")
        self.assertEqual(len(self.requests("DELETE")), 2)

    def test_nobody_is_there(self):
        port = self.p.port
        self.p.stop()
        self.told("GET accounts", "accounts", "--wait", "1ms", code=4, url=f"http://127.0.0.1:{port}")

    def test_usage(self):
        for args in ((), ("ordres",), ("order",), ("order", "a", "b"), ("borrow", "GME", "--all"), ("account", "--wat"),
                     ("locate-quote", "GME", "lots", "q"), ("orders", "--wait", "soon")):
            with self.subTest(args=args):
                self.run_broker(*args, code=2)
        for word, meant in (("ordres", "orders"), ("inventory", "locate-inventory"), ("accept", "locate-accept"),
                            ("Inventory", None), ("locat", "locate"), ("nventor", None)):
            said = self.run_broker(word, code=2)[1]
            self.assertEqual("did you mean" in said, meant is not None, said)
            self.assertIn(f"did you mean '{meant}'" if meant else "see ordergate broker --help", said)

    def test_stdout_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            process = subprocess.run([os.path.join(BIN, "ordergate"), "broker", "--broker", self.broker_file(),
                                      "accounts"],
                                     stdout=full, stderr=subprocess.PIPE, env=self.environment())
        self.assertEqual(process.returncode, 4)

    def test_declared_environment(self):
        """Calls that change something are sent to the named environment only."""
        self.told("is of type 'Live'", "locate-quote", "GME", "100", "q", code=2, ORDERGATE_ENVIRONMENT="paper")
        self.run_broker("locate-quote", "GME", "100", "q", ORDERGATE_ENVIRONMENT="live")


class BrokerFiles(Programs, Endpoints):
    def test_the_files_of_the_manual(self):
        """The pages that name a broker file show one for the service and one for the paper brokerage, and both work,
        apart from the address and the keys of the service. base_url is as it is printed by the paper brokerage."""
        for page, environments in (("broker", ["live", "paper"]), ("send", ["live", "paper"]), ("paper", ["paper"])):
            with open(os.path.join(TOP, "tools", f"ordergate-{page}.1"), encoding="utf-8") as f:
                blocks = re.findall(r"^\.Bd -literal -offset indent\n(base_url: .*?)^\.Ed$", f.read(), re.M | re.S)
            self.assertEqual([re.search("environment: (.*)", b).group(1) for b in blocks], environments, page)
            for block in blocks:
                keys, account = (LIVE, "LIVE0001") if "environment: live" in block else (PAPER, "PAPER0001")
                with self.subTest(page=page, account=account):
                    self.assertRegex(block, "base_url: (https://[a-z.]+|http://127.0.0.1:8787)( #.*)?\n")
                    self.file(re.search(r"secret_key_file: (\S+)", block).group(1), keys[1] + "\n")
                    block = re.sub(r"base_url: \S+", f"base_url: {self.p.url}", block)
                    path = self.file("manual.yaml", re.sub(r"key_id: \S+", f"key_id: {keys[0]}", block))
                    env = {k: v for k, v in self.environment().items() if not k.startswith("ORDERGATE_")}
                    p = subprocess.run([os.path.join(BIN, "ordergate"), "broker", "account", "--broker", path],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, timeout=600)
                    self.assertEqual(p.returncode, 0, p.stderr)
                    self.assertIn(account, p.stdout)

    def test_a_base_url_with_the_path_of_the_calls(self):
        """The text of a 404 says what to write in place of it."""
        for end in ("/v1/api", "/v1/api/"):
            with self.subTest(end):
                words = self.run_broker("accounts", code=1, url=self.p.url + end)[1]
                self.assertIn(f"must not end in /v1/api: write '{self.p.url}'", words)
        self.assertIn("is its path right?", self.run_broker("accounts", code=1, url=self.p.url + "/api")[1])


class FactsFile(Programs, Endpoints):
    def test_check_takes_it(self):
        self.busy()
        path = os.path.join(self.home(), "facts.json")
        self.run_broker("facts", "GME", "AAPL", "-o", path)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(path) as f:
            facts = json.load(f)
        self.assertEqual((facts["accountId"], facts["borrow"]["GME"]["easy"], facts["borrow"]["AAPL"]["easy"]),
                         ("LIVE0001", False, True))
        self.assertEqual(facts["positions"], self.p.get("accounts/LIVE0001/positions", LIVE).json)
        self.assertIn("a", facts["usedClientOrderIds"])
        lines = "\n".join(json.dumps(b) for b in (stock("new", route="SMART"), stock("a", route="SMART"),
                                                  stock("s", side="Sell", symbol="GME", route="SMART")))
        run = subprocess.run([os.path.join(BIN, "ordergate"), "check", "-f", path, "--at", facts["asOf"]], input=lines,
                             capture_output=True, text=True, env=self.environment())
        decisions = {d["clientOrderId"]: d for d in map(json.loads, run.stdout.splitlines())}
        self.assertEqual({i: d["verdict"] for i, d in decisions.items()},
                         {"new": "accept", "a": "refuse", "s": "accept"}, run)
        self.assertEqual([f["reason"] for f in decisions["a"]["findings"] if f["level"] == "refuse"],
                         ["client-order-id-reused"])
        self.assertEqual(os.listdir(self.home()).count("facts.json"), 1)

    def test_half_of_it_is_none(self):
        path = os.path.join(self.home(), "facts.json")
        self.fault("GET positions", "status", status=404)
        self.run_broker("facts", "-o", path, code=1)
        self.assertFalse(os.path.exists(path))

    def test_orders_are_read_before_what_their_fills_change(self):
        """The other way round, an order that fills in between is in neither."""
        ages = list(self.asked("facts")["ages"])
        self.assertLess(ages.index("orders"), min(ages.index("positions"), ages.index("account")))

    def test_what_may_be_missing_is_left_out(self):
        self.fault("GET routes", "status", status=404)
        facts = self.asked("facts")
        self.assertNotIn("routes", facts)
        self.assertNotIn("routes", facts["ages"])
        self.assertIn("orders", facts)


class Secrets(Programs, Endpoints):
    def test_a_secret_others_may_read(self):
        self.file("secret", LIVE[1], 0o644)
        broker = self.file("own.yaml", f"base_url: {self.p.url}\nkey_id: live-key\nsecret_key_file: secret\n")
        env = {k: v for k, v in self.environment().items() if not k.startswith("ORDERGATE_SECRET")}
        run = subprocess.run([os.path.join(BIN, "ordergate"), "broker", "--broker", broker, "accounts"], env=env,
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 4)
        self.assertIn("chmod 600", run.stderr)
        os.chmod(os.path.join(self.home(), "secret"), 0o600)
        run = subprocess.run([os.path.join(BIN, "ordergate"), "broker", "--broker", broker, "accounts"], env=env,
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_plain_http_to_elsewhere(self):
        _, words = self.run_broker("accounts", code=2, url="http://example.com")
        self.assertIn("not encrypted", words)


class Budgets(Programs, unittest.TestCase):
    """The default budgets keep to the documented limits."""
    budgets = None

    def setUp(self):
        self.p = Paper(limits=True, clock=REGULAR + "@1")
        self.addCleanup(self.p.stop)

    def together(self, processes, each, *args, code):
        """Start that many processes at the same time, each with that many runs; returns whether no request was
        rejected."""
        faults, limits = [], RequestLimits(self.p)

        def line():
            try:
                for _ in range(each):
                    self.run_broker("--account", "LIVE0001", *args, code=code)
            except Exception as e:  # told by the main thread
                faults.append(e)

        self.broker_file()
        lines = [threading.Thread(target=line) for _ in range(processes)]
        for one in lines:
            one.start()
        for one in lines:
            one.join()
        self.assertEqual(faults, [])
        statuses = [r["status"] for r in self.requests()]
        self.assertEqual(len(statuses) - statuses.count(429), processes * each)
        return limits.kept()

    def anew(self, *args, **more):
        """Do as together() does, with a new brokerage and a new HOME."""
        self.doCleanups()
        vars(self).pop("_home", None)
        self.setUp()
        return self.together(*args, **more)

    def test_four_processes_keep_to_the_rate_of_cancels(self):
        """The limit is 15/s: four processes send 100 cancels at the same time, and none is rejected."""
        in_some_run(lambda: self.anew(4, 25, "cancel", "none", code=1))

    def test_four_processes_keep_to_the_rate_of_reads(self):
        """The limit is 2/s: four processes send 12 look-ups at the same time."""
        in_some_run(lambda: self.anew(4, 3, "order", "none", code=1))

    def test_each_key_has_its_own(self):
        self.run_broker("routes")
        self.run_broker("routes", keys=PAPER)
        self.assertEqual([r["status"] for r in self.requests("GET", "/routes")], [200, 200])
        folder = os.path.join(self.home(), "state", "ordergate", "budgets")
        self.assertEqual([stat.S_IMODE(os.stat(os.path.join(folder, n)).st_mode) for n in os.listdir(folder)],
                         [0o600] * 2)

    def test_without_budgets_a_429_is_waited_out(self):
        self.budgets = "off"
        self.fault("GET routes", "status", status=429)
        self.run_broker("--account", "LIVE0001", "routes")
        self.assertEqual([r["status"] for r in self.requests("GET", "/routes")], [429, 200])

    def test_a_429_for_longer_than_the_wait(self):
        self.budgets = "off"
        self.fault("GET orders", "status", status=429, count=9)
        _, words = self.run_broker("--account", "LIVE0001", "orders", "--wait", "100ms", code=4)
        self.assertIn("429", words)

    def test_without_a_place_each_counts_alone(self):
        """A state folder that cannot be created does not prevent the calls; each process then counts alone."""
        with SomeFile("plain") as path:
            open(path, "w").close()
            self.end(subprocess.Popen([os.path.join(BIN, "ordergate"), "broker", "--broker", self.broker_file(),
                                       "accounts"],
                                      env={**self.environment(), "XDG_STATE_HOME": path}, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True))


if __name__ == "__main__":
    main()
