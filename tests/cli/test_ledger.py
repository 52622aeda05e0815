"""ordergate ledger, on records that ordergate send made against the paper brokerage."""
import contextlib
import hashlib
import json
import os
import pathlib
import pwd
import shutil
import sqlite3
import subprocess
import unittest

from fault_proxy import FaultProxy, answer
from ledger_maker import tamper
from paper import LIVE, Paper, stock
from sender import RUNNING, SEND, Sender, TempHome, resting, send

BIN = os.environ["OG_BIN"]
os.environ.setdefault("ORDERGATE_PAPER", os.path.join(BIN, "ordergate-paper"))

LEDGER, GATE = os.path.join(BIN, "ordergate-ledger"), os.path.join(BIN, "ordergate")
ROW = ["seq", "at", "run", "accountId", "clientOrderId", "record", "state", "outcome", "brokerOrderId", "executed",
       "priceAvg", "code", "text"]
TERMS = ["symbol", "side", "openClose", "orderQuantity", "legs"]  # of list and unknown
COLUMNS = "seq at run account id record state outcome broker_id executed price_avg code text detail".split()


def run(*args, path=None, **more):
    at = ("--ledger", path) if path else ()
    return subprocess.run([LEDGER, *at, *args], capture_output=True, text=True, timeout=600, **more)


def rows(*args, path, code=0):
    done = run(*args, path=path)
    if done.returncode != code:
        raise AssertionError(f"{args}: {done.returncode}, {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def head_of(gate):
    return next(word for word in gate.stderr.split() if word.startswith("sha256:")).rstrip(",")


class Record(unittest.TestCase):
    """A ledger of two runs, with an order that filled, one that works, one that was refused, one that was rejected,
    and one whose answer was lost."""

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.home = cls.stack.enter_context(TempHome())
        paper = cls.stack.enter_context(Paper(clock=RUNNING))
        behaviours = {"lost": (False, "close"),
                      "bad400": (False, answer(400, b"The Symbol is wrong.", ("Content-Type: text/plain",)))}
        proxy = cls.stack.enter_context(FaultProxy(paper, behaviours))
        lines = [stock("fills", orderType="Market", limitPrice=None), resting("works"),
                 stock("refused", orderQuantity=-1), resting("bad400"), stock("lost")]
        with Sender(proxy.url, cls.home, "--wait", "6s", "--timeout", "6s", "--until", "final", lines=lines) as first:
            cls.first_code = first.finish(len(lines))
        cls.first = first
        cls.second_code, cls.second = send(proxy.url, cls.home, [resting("works"), stock("second", orderQuantity=-1)])
        cls.url, cls.proxy = proxy.url, proxy
        cls.path = cls.home.ledger

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    @contextlib.contextmanager
    def copy(self):
        with TempHome() as home:
            with sqlite3.connect(self.path) as source, sqlite3.connect(home.ledger) as to:
                source.backup(to)
            os.chmod(home.ledger, 0o600)
            yield home.ledger

    def test_what_was_made(self):
        self.assertEqual((self.first_code, self.second_code), (5, 5), self.first.stderr + self.second.stderr)
        self.assertEqual(self.first.outcomes(), {"fills": "filled", "works": "working", "refused": "refused",
                                                 "bad400": "rejected", "lost": "unknown"})

    def test_list_is_the_newest_record_of_every_order(self):
        seen = rows("list", path=self.path)
        self.assertEqual([list(r) for r in seen], [ROW + TERMS] * len(seen))
        self.assertEqual({r["clientOrderId"]: r["state"] for r in seen},
                         {"fills": "filled", "works": "working", "refused": "refused", "bad400": "rejected",
                          "lost": "unknown", "second": "refused"})
        self.assertEqual([r["seq"] for r in seen], sorted(r["seq"] for r in seen))
        fill = next(r for r in seen if r["clientOrderId"] == "fills")
        self.assertEqual((fill["executed"], fill["priceAvg"], fill["accountId"]), (10, 190.01, "PAPER0001"))
        self.assertEqual(rows("list", "--account", "PAPER0001", path=self.path), seen)
        self.assertEqual(rows("--account", "LIVE0001", "list", path=self.path), [])

    def test_an_account_in_another_spelling(self):
        """The service takes paper0001 as PAPER0001, so every command does."""
        for command in (("list",), ("unknown",), ("export",), ("positions",), ("facts",), ("show", "works"),
                        ("latches", "--all")):
            wanted = [{**r, "asOf": None} for r in rows("--account", "PAPER0001", *command, path=self.path)]
            for spelling in ("paper0001", "Paper0001"):
                seen = [{**r, "asOf": None} for r in rows("--account", spelling, *command, path=self.path)]
                self.assertEqual(seen, wanted, command)
        with self.copy() as path:
            told, = rows("resolve", "lost", "--as", "not-sent", "--reason", "the desk says so", "--account",
                         "paper0001", path=path)
            self.assertEqual((told["record"], told["accountId"]), ("resolve", "PAPER0001"))

    def test_list_tells_what_each_order_is(self):
        seen = {r["clientOrderId"]: [r[key] for key in TERMS] for r in rows("list", path=self.path)}
        self.assertEqual(seen["fills"], ["AAPL", "Buy", "Open", 10, None])
        self.assertEqual(seen["refused"], ["AAPL", "Buy", "Open", -1, None])
        self.assertEqual(seen["lost"][:2], ["AAPL", "Buy"])
        with TempHome() as home:
            legs = [{"symbol": f"SPY260320C00{strike}000", "side": side, "openClose": "Open", "ratio": 1}
                    for strike, side in ((600, "Buy"), (605, "Sell"))]
            spread = {"securityType": "Mleg", "symbol": "SPY", "orderType": "Limit", "limitPrice": 1.5,
                      "orderQuantity": 2, "timeInForce": "Day", "clientOrderId": "spread", "route": "PAPERM",
                      "legs": legs}
            cancel = {"op": "cancel", "clientOrderId": "never"}
            send(self.url, home, [spread, dict(spread, clientOrderId="bad", orderQuantity=-2), cancel])
            seen = {r["clientOrderId"]: [r[key] for key in TERMS] for r in rows("list", path=home.ledger)}
        self.assertEqual(seen["spread"], ["SPY", None, None, 2, legs])
        self.assertEqual(seen["bad"], ["SPY", None, None, -2, legs])
        self.assertEqual(seen.get("never", [None] * 5), [None] * 5)

    def test_unknown(self):
        seen = rows("unknown", "--broker", "/nowhere.yaml", path=self.path)
        self.assertEqual([list(r) for r in seen], [ROW + TERMS])
        self.assertEqual([(r["clientOrderId"], r["state"]) for r in seen], [("lost", "unknown")])

    def test_show_tells_the_story_in_order(self):
        seen = rows("show", "fills", path=self.path)
        self.assertEqual([list(r) for r in seen], [ROW + ["detail", "hash"]] * len(seen))
        self.assertEqual([r["seq"] for r in seen], sorted(r["seq"] for r in seen))
        self.assertEqual([r["at"] for r in seen], sorted(r["at"] for r in seen))
        records = [r["record"] for r in seen]
        self.assertEqual((records[:2], records[-1]), (["decision", "intent"], "outcome"))
        decision, intent = seen[0]["detail"], seen[1]["detail"]
        self.assertEqual(decision["verdict"], "accept")
        self.assertRegex(decision["policy"], r"^default@sha256:[0-9a-f]{64}$")
        self.assertRegex(decision["facts"], r"^sha256:[0-9a-f]{64}$")
        self.assertEqual((intent["symbol"], intent["clientOrderId"]), ("AAPL", "fills"))
        post = next(r["detail"] for r in seen if r["record"] == "post")
        self.assertEqual((post["http"], post["attempts"], post["error"]), (200, 1, None))
        updates = [r["detail"] for r in seen if r["record"] == "update"]
        self.assertIn("Filled", [u["heard"] for u in updates])
        self.assertLessEqual({u["source"] for u in updates}, {"reply", "stream", "lookup", "list"})
        self.assertEqual((seen[-1]["outcome"], seen[-1]["executed"]), ("filled", 10))

    def test_show_of_what_went_wrong(self):
        lost = rows("show", "lost", path=self.path)
        self.assertEqual(next(r for r in lost if r["record"] == "post")["detail"]["http"], None)
        updates = [r["detail"] for r in lost if r["record"] == "update"]
        self.assertEqual([u["heard"] for u in updates if "absentSince" not in u], ["no answer"])
        bad = rows("show", "bad400", path=self.path)
        self.assertEqual(next(r for r in bad if r["record"] == "post")["detail"]["http"], 400)
        self.assertEqual((bad[-1]["outcome"], bad[-1]["text"]), ("rejected", "The Symbol is wrong."))
        refused = rows("show", "refused", path=self.path)
        self.assertEqual([(r["record"], r["state"], r["outcome"]) for r in refused],
                         [("decision", "refused", "refused")])
        done = run("show", "nobody", path=self.path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("nobody", done.stderr)

    def test_export_is_every_record(self):
        seen = rows("export", path=self.path)
        self.assertEqual([r["seq"] for r in seen], list(range(1, len(seen) + 1)))
        self.assertEqual(len(seen), len(self.home.rows()))
        self.assertEqual([r for r in seen if r["clientOrderId"] == "works"], rows("show", "works", path=self.path))

    def test_the_hashes_can_be_worked_out_by_others(self):
        before = ""
        for row in self.home.rows():
            fields = ["-" if row[c] is None else f"{len(str(row[c]).encode())}:{row[c]}" for c in COLUMNS]
            before = "sha256:" + hashlib.sha256((before + "".join(f + "," for f in fields)).encode()).hexdigest()
            self.assertEqual(row["hash"], before, row["seq"])

    def test_every_run_tells_its_head(self):
        count = len(self.home.rows())
        sums = rows("verify", "--expect-head", head_of(self.second), path=self.path)
        self.assertEqual(sums, [{"rows": count, "seq": count, "head": head_of(self.second), "expectedSeq": count,
                                 "faults": 0}])
        earlier = rows("verify", "--expect-head", head_of(self.first), path=self.path)[0]
        self.assertLess(earlier["expectedSeq"], count)
        self.assertEqual(earlier["faults"], 0)

    def test_what_was_touched_is_named(self):
        cases = {"UPDATE rows SET state = 'canceled' WHERE seq = 7": 7, "DELETE FROM rows WHERE seq = 4": 4,
                 "UPDATE rows SET detail = replace(detail, 'accept', 'refuse') WHERE seq = 1": 1,
                 "UPDATE rows SET seq = -1 WHERE seq = 5; UPDATE rows SET seq = 5 WHERE seq = 6; UPDATE rows SET seq = "
                 "6 WHERE seq = -1": 5}
        for change, seq in cases.items():
            with self.subTest(change), self.copy() as path:
                tamper(path, change)
                done = run("verify", path=path)
                self.assertEqual(done.returncode, 1, done.stderr)
                faults = [json.loads(line) for line in done.stdout.splitlines()]
                self.assertEqual(faults[0]["seq"], seq, faults)
                self.assertEqual(faults[-1]["faults"], len(faults) - 1)
                self.assertIn(str(seq), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), len(faults) - 1)

    def test_a_tail_cut_off(self):
        with self.copy() as path:
            tamper(path, "DELETE FROM rows WHERE seq > (SELECT max(seq) - 1 FROM rows)")
            self.assertEqual(run("verify", path=path).returncode, 1)
            tamper(path, "UPDATE head SET seq = (SELECT max(seq) FROM rows), hash = (SELECT hash FROM rows ORDER BY "
                         "seq DESC LIMIT 1); UPDATE open_orders SET seq = (SELECT max(seq) FROM rows r WHERE r.account"
                         " = open_orders.account AND r.id = open_orders.id AND record NOT IN ('decision', 'cancel'))")
            self.assertEqual(run("verify", path=path).returncode, 0)
            done = run("verify", "--expect-head", head_of(self.second), path=path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(head_of(self.second), done.stderr)
            self.assertEqual(run("verify", "--expect-head", head_of(self.first), path=path).returncode, 0)

    def test_stats(self):
        *runs, all_of_them = rows("stats", path=self.path)
        self.assertEqual([r["run"] for r in runs], [self.first.events[0]["run"], self.second.events[0]["run"]])
        self.assertEqual(runs[0]["outcomes"], {"filled": 1, "refused": 1, "rejected": 1, "unknown": 1, "working": 1})
        self.assertEqual((runs[0]["orders"], runs[0]["reasons"]), (4, {"quantity-below-one": 1}))
        self.assertEqual(runs[0]["answerUs"]["count"], 2)
        self.assertGreater(runs[0]["answerUs"]["least"], 0)
        self.assertEqual((all_of_them["run"], all_of_them["runs"]), (None, 2))
        self.assertEqual(all_of_them["rows"], len(self.home.rows()))
        self.assertEqual(all_of_them["states"], {"filled": 1, "refused": 2, "rejected": 1, "unknown": 1, "working": 1})

    def check(self, facts, *lines):
        done = subprocess.run([GATE, "check", "-f", facts], input="".join(json.dumps(o) + "\n" for o in lines),
                              text=True, capture_output=True)
        return [[f["reason"] for f in json.loads(line)["findings"]] for line in done.stdout.splitlines()], done.stderr

    def test_what_is_only_watched_is_counted_apart(self):
        with TempHome() as home, Paper(clock=RUNNING) as paper:
            policy = home.file("p.yaml", "ordergate: 1\nextends: [paper]\nrules:\n"
                               "  order-notional: {level: refuse, most: 1, mode: shadow}\n")
            code, gate = send(paper.url, home, [resting("a"), resting("b")], "-p", policy)
            self.assertEqual(code, 0, gate.stderr)
            one, all_of_them = rows("stats", path=home.ledger)
            self.assertEqual((one["reasons"], one["shadow"]), ({}, {"notional-above-limit": 2}))
            self.assertEqual(all_of_them["shadow"], one["shadow"])
        self.assertNotIn("shadow", rows("stats", path=self.path)[0])

    def test_what_people_record_is_no_run(self):
        with self.copy() as path:
            rows("resolve", "lost", "--as", "not-sent", "--reason", "the desk says so", path=path)
            done = subprocess.run([os.path.join(BIN, "ordergate-waive"), "--ledger", path, "--order", "later",
                                   "--rule", "order-notional", "--reason", "agreed", "--digest",
                                   "sha256:" + "0" * 64], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            *runs, all_of_them = rows("stats", path=path)
            *before, all_before = rows("stats", path=self.path)
            self.assertEqual(runs, before)
            self.assertEqual((all_before["byHand"], all_of_them["byHand"]), (0, 2))
            changed = {"byHand", "outcomes", "states"}
            self.assertEqual({k: v for k, v in all_of_them.items() if k not in changed},
                             {k: v for k, v in all_before.items() if k not in changed}, "neither a run, nor its times")
            self.assertEqual(all_of_them["states"],
                             {"filled": 1, "refused": 2, "rejected": 1, "not-sent": 1, "working": 1})

    def test_facts_are_understood_by_check(self):
        done = run("facts", path=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        facts = json.loads(done.stdout)
        self.assertEqual(facts["accountId"], "PAPER0001")
        self.assertEqual(facts["usedClientOrderIds"], ["fills", "works", "bad400", "lost"])
        self.assertEqual(facts["gate"]["inFlight"], [])
        self.assertEqual([o["clientOrderId"] for o in facts["gate"]["unknown"]], ["lost"])
        path = self.home.file("facts.json", done.stdout)
        reasons, words = self.check(path, stock("fills"), stock("lost"), stock("fresh"))
        self.assertEqual(words, "")
        self.assertEqual(["client-order-id-reused" in r for r in reasons], [True, True, False], reasons)

    def test_resolve(self):
        with self.copy() as path:
            told, = rows("resolve", "lost", "--as", "not-sent", "--reason", "the desk says so", path=path)
            self.assertEqual(list(told), ROW)
            self.assertEqual((told["record"], told["state"], told["outcome"]), ("resolve", "not-sent", "not-sent"))
            newest = rows("show", "lost", path=path)[-1]
            self.assertEqual(newest["detail"],
                             {"was": "unknown", "by": pwd.getpwuid(os.getuid()).pw_name, "reason": "the desk says so"})
            self.assertIn("the desk says so", newest["text"])
            self.assertEqual(rows("unknown", path=path), [])
            self.assertEqual(rows("verify", path=path)[0]["faults"], 0)
            again = run("resolve", "lost", "--as", "filled", "--reason", "x", path=path)
            self.assertEqual(again.returncode, 1)
            self.assertIn("not-sent", again.stderr)
            self.assertEqual(len(rows("show", "lost", path=path)), len(rows("show", "lost", path=self.path)) + 1)

    def test_a_fill_that_a_person_knows_of_is_what_send_reports(self):
        with self.copy() as path, TempHome() as home:
            rows("resolve", "lost", "--as", "filled", "--executed", "10", "--price", "190.005", "--reason",
                 "statement", path=path)
            shutil.copy(path, home.ledger)
            before = dict(self.proxy.posts)
            code, gate = send(self.url, home, [stock("lost")])
            self.assertEqual((code, gate.outcomes()), (0, {"lost": "filled"}), gate.stderr)
            outcome = gate.event("outcome", "lost")
            self.assertEqual((outcome["executed"], outcome["priceAvg"]), (10, 190.005))
            self.assertEqual(self.proxy.posts, before)

    def test_filled_is_all_of_it(self):
        with self.copy() as path:
            told, = rows("resolve", "lost", "--as", "filled", "--reason", "statement", path=path)
            self.assertEqual((told["state"], told["executed"], told["priceAvg"]), ("filled", 10, 0))
        with self.copy() as path:
            done = run("resolve", "lost", "--as", "filled", "--executed", "11", "--reason", "statement", path=path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("executed quantity 11 of order 'lost' exceeds its quantity of 10", done.stderr)
            told, = rows("resolve", "lost", "--as", "canceled", "--executed", "4", "--reason", "statement", path=path)
            self.assertEqual((told["state"], told["executed"]), ("canceled", 4))

    def test_what_cannot_be_settled(self):
        cases = [(1, "works", "canceled", "x"), (1, "fills", "not-sent", "x"), (1, "refused", "filled", "x"),
                 (1, "nobody", "filled", "x"), (2, "lost", "refused", "x"), (2, "lost", "unknown", "x"),
                 (2, "lost", "sent", "x"), (2, "lost", "filled", "  ")]
        with self.copy() as path:
            for code, order, outcome, reason in cases:
                with self.subTest(order=order, outcome=outcome):
                    done = run("resolve", order, "--as", outcome, "--reason", reason, path=path)
                    self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                    self.assertNotEqual(done.stderr, "")
            for args in (("resolve", "lost", "--as", "filled"), ("resolve", "lost", "--reason", "x"), ("resolve",),
                         ("resolve", "lost", "--as", "filled", "--reason", "x", "--executed", "ten")):
                self.assertEqual(run(*args, path=path).returncode, 2, args)
            self.assertEqual(rows("list", path=path), rows("list", path=self.path))


class Runs(unittest.TestCase):
    def test_an_intent_is_unknown_once_its_run_is_over(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"o": (False, "hang")}) as b, TempHome() as home:
            with Sender(b.url, home, "--timeout", "60s") as gate:
                gate.feed(stock("o"))
                gate.event("decision", "o")
                self.assertEqual([r["state"] for r in rows("list", path=home.ledger)], ["intended"])
                self.assertEqual(rows("unknown", path=home.ledger), [])
                facts, = rows("facts", path=home.ledger)
                self.assertEqual([o["clientOrderId"] for o in facts["gate"]["inFlight"]], ["o"])
                refused = run("resolve", "o", "--as", "not-sent", "--reason", "x", path=home.ledger)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("still running", refused.stderr)
                gate.kill()
                gate.process.wait()
            self.assertEqual([r["state"] for r in rows("list", path=home.ledger)], ["unknown"])
            self.assertEqual([(r["clientOrderId"], r["state"]) for r in rows("unknown", path=home.ledger)],
                             [("o", "unknown")])
            facts, = rows("facts", path=home.ledger)
            self.assertEqual((facts["gate"]["inFlight"], [o["clientOrderId"] for o in facts["gate"]["unknown"]]),
                             ([], ["o"]))
            self.assertEqual(rows("verify", path=home.ledger)[0]["faults"], 0)

    def test_several_accounts(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("o")])
            send(p.url, home, [resting("l", route="SMART")], "-p", "default", keys=LIVE,
                 env={"ORDERGATE_ENVIRONMENT": "live"})
            self.assertEqual({r["accountId"] for r in rows("list", path=home.ledger)}, {"PAPER0001", "LIVE0001"})
            done = run("facts", path=home.ledger)
            self.assertEqual(done.returncode, 2)
            self.assertIn("LIVE0001, PAPER0001", done.stderr)
            self.assertEqual(rows("facts", "--account", "LIVE0001", path=home.ledger)[0]["usedClientOrderIds"], ["l"])
            self.assertEqual(run("facts", "--account", "NOBODY", path=home.ledger).returncode, 1)
            self.assertEqual([r["clientOrderId"] for r in rows("list", "--account", "LIVE0001", path=home.ledger)],
                             ["l"])


class Disks(unittest.TestCase):
    """Tests with filesystems that are mounted in a mount namespace of their own."""

    @staticmethod
    def inside(script, **env):
        """Run the shell script `sh` in a namespace where it may mount filesystems. $home is a mount point, and
        $ledger is a file on it."""
        root = () if os.geteuid() == 0 else ("-r",)
        return subprocess.run(["unshare", *root, "-m", "sh", "-euc", script], capture_output=True, text=True,
                              timeout=600, env={**os.environ, **env})

    def setUp(self):
        if self.inside('mount -t tmpfs -o size=100k none "$home"', home="/mnt").returncode:
            self.skipTest("no namespace of mounts to be had here")

    def env(self, p, home):
        return {"ORDERGATE_BASE_URL": p.url, "ORDERGATE_KEY_ID": "paper-key", "ORDERGATE_SECRET_KEY": "paper-secret",
                "ORDERGATE_CLOCK": "broker", "XDG_STATE_HOME": home.path, "SEND": SEND, "LEDGER": LEDGER,
                "home": home.path + "/m", "ledger": home.path + "/m/ledger.db"}

    def test_a_read_only_folder(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            os.mkdir(home.path + "/m")
            env = self.env(b, home)
            done = self.inside('mount -t tmpfs none "$home"; echo "$first" | "$SEND" --ledger "$ledger" >/dev/null '
                               '2>&1;'
                               ' mount -o remount,ro "$home"; echo "$second" | "$SEND" --ledger "$ledger" >&2 || echo '
                               '"exit $?";'
                               ' "$LEDGER" --ledger "$ledger" list; "$LEDGER" --ledger "$ledger" verify',
                               first=json.dumps(resting("first")), second=json.dumps(resting("second")), **env)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(b.posts, {"first": 1})
            self.assertIn("--ledger", done.stderr)
            told = done.stdout.splitlines()
            self.assertEqual(told[0], "exit 4")
            self.assertEqual([json.loads(line).get("clientOrderId") for line in told[1:]], ["first", None])
            self.assertEqual(json.loads(told[2])["faults"], 0)

    def test_a_full_disk(self):
        """An order that the disk could not record is not posted; every order that is posted is recorded."""
        lines = "".join(json.dumps(resting(f"o{i:03}")) + "\n" for i in range(120))
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            os.mkdir(home.path + "/m")
            broker, orders = home.file("b.yaml", "budgets: off\n"), home.file("orders", lines)
            done = self.inside('mount -t tmpfs -o size=320k none "$home";'
                               ' "$SEND" --ledger "$ledger" --broker "$broker" "$orders" >"$out" || echo "exit $?";'
                               ' "$LEDGER" --ledger "$ledger" export; "$LEDGER" --ledger "$ledger" verify',
                               broker=broker, orders=orders, out=home.path + "/out", **self.env(b, home))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("make room", done.stderr)
            told = done.stdout.splitlines()
            self.assertEqual(told[0], "exit 4")
            records = [json.loads(line) for line in told[1:-1]]
            meant = {r["clientOrderId"] for r in records if r["record"] == "intent"}
            self.assertGreater(len(meant), 3)
            self.assertLess(len(meant), 120)
            self.assertEqual(set(b.posts.values()), {1})
            self.assertLessEqual(set(b.posts), meant)
            self.assertEqual(json.loads(told[-1])["faults"], 0)
            events = pathlib.Path(home.path, "out").read_text(encoding="utf-8").splitlines()
            outcomes = [e for e in map(json.loads, events) if e["event"] == "outcome"]
            self.assertEqual(len(outcomes), 120)
            sent = {e["clientOrderId"] for e in outcomes if e["outcome"] != "not-sent"}
            self.assertLessEqual(set(b.posts), sent)
            self.assertLessEqual(sent, meant)  # the disk may be full between a record and its POST

    def test_a_disk_that_fills_while_nothing_is_on_its_way(self):
        """The disk fills while no order is in flight: every line still gets an answer."""
        lines = "".join(json.dumps(resting(f"o{i:03}")) + "\n" for i in range(120))
        with Paper(clock=RUNNING) as p, TempHome() as home:
            os.mkdir(home.path + "/m")
            orders, out = home.file("orders", lines), home.file("out", "")
            done = self.inside('mount -t tmpfs -o size=320k none "$home"; (echo "$first";'
                               ' until grep -q "outcome.*working" "$out" || ! kill -0 $$ 2>/dev/null; do :; done;'
                               ' dd if=/dev/zero of="$home/more" bs=1k 2>/dev/null || cat "$orders")'
                               ' | "$SEND" --ledger "$ledger" >"$out" || echo "exit $?"',
                               first=json.dumps(resting("first")), orders=orders, out=out, **self.env(p, home))
            self.assertEqual((done.returncode, done.stdout), (0, "exit 4\n"), done.stderr)
            events = pathlib.Path(out).read_text(encoding="utf-8").splitlines()
            outcomes = {e["clientOrderId"]: e["outcome"] for e in map(json.loads, events) if e["event"] == "outcome"}
            self.assertEqual(outcomes, {"first": "working", **{f"o{i:03}": "not-sent" for i in range(120)}})


class Usage(unittest.TestCase):
    def test_help_and_version(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("list", "show ID", "verify", "export", "unknown", "resolve ID", "facts", "stats", "--expect-head",
                     "exit:"):
            self.assertIn(word, done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 120)
        self.assertEqual(run("--version").stdout.split()[0], "ordergate")
        self.assertIn("ledger", subprocess.run([GATE, "--help"], capture_output=True, text=True).stdout)
        door = subprocess.run([GATE, "ledger", "--help"], capture_output=True, text=True)
        self.assertEqual(door.stdout, done.stdout)

    def test_wrong_usage(self):
        for args in ((), ("nonsense",), ("list", "more"), ("show",), ("show", "a", "b"), ("--nonsense", "list")):
            done = run(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertIn("ordergate ledger", done.stderr)

    def test_no_ledger(self):
        with TempHome() as home:
            for command in (("list",), ("verify",), ("show", "x"), ("facts",), ("stats",),
                            ("resolve", "x", "--as", "filled", "--reason", "x")):
                done = run(*command, path=home.ledger)
                self.assertEqual((done.returncode, done.stdout), (4, ""), command)
                self.assertIn(home.ledger, done.stderr)
                self.assertEqual(os.listdir(home.path), [], "nothing was made")
            path = home.file("else.db", "no database at all, but long enough to look like a file" * 100)
            self.assertEqual(run("list", path=path).returncode, 4)
            with sqlite3.connect(home.path + "/foreign.db") as db:
                db.execute("CREATE TABLE rows(x)")
            done = run("list", path=home.path + "/foreign.db")
            self.assertEqual(done.returncode, 4)
            self.assertIn("not a ledger", done.stderr)

    def test_the_default_place(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("o")], ledger=False)
            env = {**os.environ, "XDG_STATE_HOME": os.path.join(home.path, "state")}
            self.assertEqual([json.loads(line)["clientOrderId"] for line in run("list", env=env).stdout.splitlines()],
                             ["o"])

    def test_stdout_that_is_full_or_gone(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("o")])
            with open("/dev/full", "wb") as full:
                done = subprocess.run([LEDGER, "--ledger", home.ledger, "export"], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 4)
            self.assertIn(b"cannot be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
