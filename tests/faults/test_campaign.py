"""A campaign: mixed orders, cancels and replaces through every fault the paper brokerage has. The sender is
killed with SIGKILL again and again, while it starts, sends, polls and recovers, and restarted on the same ledger.
Now and then the sender, the brokerage or both are suspended, for shorter and for longer than the sender's
time-outs. The outcomes are compared with the brokerage's own record.

A season is one brokerage, one ledger and 50 kills. OG_CAMPAIGN_KILLS (default 50) is the total number of kills, and
OG_CAMPAIGN_SEED (default 1) the seed of the first season; each further season has the next seed. The suite runs four
(CMakeLists.txt), with this seed and those after it. On demand, with the environment of tests/README.md
("Run one test"), since ctest ends a test after half an hour whatever --timeout says:

  OG_CAMPAIGN_KILLS=10000 python3 -B ../../tests/faults/test_campaign.py

A failure names its season's seed. The seed determines each kill, as a moment or as the Nth call with an effect
outside the process (nth.c), but not which of two answers arrives first.
"""
import collections
import concurrent.futures
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from paper import Paper, option, spread, stock
from parallel_unittest import main
from sender import RUNNING, SEND, Sender, TempHome, resting

SEASON = 50
KILLS = int(os.environ.get("OG_CAMPAIGN_KILLS", SEASON))
# ctest runs the file several times (OG_CAMPAIGN_PART is 0, 1, ...), each with seeds of its own.
PART = int(os.environ.get("OG_CAMPAIGN_PART", "0"))
SEED = int(os.environ.get("OG_CAMPAIGN_SEED", "1")) + PART * -(-KILLS // SEASON)
AT_ONCE = 5
SHIM = os.path.join(os.environ["OG_PRELOAD"], "libfaults-nth.so")
STATES = {"Filled": "filled", "Canceled": "canceled", "Rejected": "rejected", "Expired": "expired", "New": "working",
          "PartiallyFilled": "working", "Accepted": "working", "PendingCancel": "working"}
OVER = ("filled", "canceled", "rejected", "expired", "done", "not-sent")
CALLS = 150  # calls with an effect outside the process, in the longest of these runs


def shim_works():
    """Returns False if the sender needs a sanitizer to be loaded before the shim."""
    return subprocess.run([SEND, "--version"], env={**os.environ, "LD_PRELOAD": SHIM},
                          capture_output=True).returncode == 0


class Lines:
    """An endless sequence of lines, which is always the same for one seed."""

    def __init__(self, chance):
        self.chance, self.all, self.rests = chance, [], []

    def more(self):
        i = f"c{len(self.all)}"
        kind = self.chance.choice(["rests", "rests", "fills", "fills", "option", "spread", "rejected", "later",
                                   "refused", "cancel", "replace", "none"])
        if kind in ("cancel", "replace") and not self.rests:
            kind = "rests"
        few = self.chance.randint(1, 7)
        make = {"rests": lambda: resting(i, orderQuantity=few), "fills": lambda: stock(i, orderQuantity=few),
                "option": lambda: option(i, orderQuantity=few), "spread": lambda: spread(i),
                "rejected": lambda: stock(i, orderType="Stop", stopPrice=100, limitPrice=None),
                "later": lambda: stock(i, symbol="NOSUCH"), "refused": lambda: stock(i, orderQuantity=-1),
                "none": lambda: "no order",
                "cancel": lambda: {"op": "cancel", "clientOrderId": self.old()},
                "replace": lambda: resting(i, replaces=self.old())}
        line = make[kind]()
        if kind in ("rests", "replace"):
            self.rests.append(i)
        self.all.append(line)
        return line

    def old(self):
        return self.rests.pop(self.chance.randrange(len(self.rests)))


def faults(chance, late):
    """Choose faults for the requests of the next run. If `late` is true, some orders register late and their answers
    are lost."""
    behaviours = [{"do": "drop-request"}, {"do": "drop-reply"}, {"do": "hang"}, {"do": "reset"}, {"do": "truncate"},
                  {"do": "delay", "delay": "100ms"}, {"do": "status", "status": 500}, {"do": "status", "status": 503},
                  {"do": "status", "status": 429}, {"do": "status", "status": 404}]
    places = ["POST order"] * 4 + ["DELETE order", "GET order", "GET orders", "GET account", "GET positions"]
    for on in chance.sample(places, 3):
        behaviour = chance.choice(behaviours if on == "POST order" else behaviours[:-1])
        yield {"on": on, **behaviour, "count": chance.randint(1, 3), "after": chance.randint(0, 2)}
    if late:
        those = {"on": "POST order", "count": chance.randint(1, 3), "after": chance.randint(0, 2)}
        yield {**those, "do": "late", "delay": f"{chance.randint(5, 55)}s"}
        yield {**those, "do": chance.choice(["drop-reply", "hang", "reset", "truncate"])}
    for _ in range(chance.randint(0, 2)):
        yield {"on": "stream portfolio",
               "do": chance.choice(["drop-frame", "duplicate-frame", "reorder-frame", "disconnect"]),
               "count": chance.randint(1, 4), "after": chance.randint(1, 6)}


class Season:
    def __init__(self, seed, kills, shim):
        self.seed, self.kills, self.shim = seed, kills, shim
        self.chance = random.Random(seed)
        self.lines, self.told, self.accepted = Lines(self.chance), {}, set()
        self.seen, self.effects, self.late = 0, collections.Counter(), False
        self.past = []
        with Paper(clock=RUNNING) as p, TempHome() as home:
            self.p, self.home = p, home
            self.loose = home.file("b.yaml", "budgets: off\n")
            p.control("PUT", "accounts/PAPER0001", {"bp": 1000000000})
            try:
                self.all_of_it()
            except Exception as failure:
                raise AssertionError(
                    f"OG_CAMPAIGN_SEED={seed} OG_CAMPAIGN_KILLS={kills}: {failure}\n{self.evidence()}") from failure

    def all_of_it(self):
        killed = 0
        while killed < self.kills:
            killed += self.round()
            self.witness()
            if killed % 10 == 0:
                self.check_chain()
        self.p.control("DELETE", "faults")
        for _ in range(5):
            self.run(["--recover"], [])
        self.recover()
        self.p.advance("2s")  # an order that registered late in that run may fill right after the run's end
        self.recover()
        self.witness()
        self.check_chain()
        self.compare()

    # --- one run

    def round(self):
        chance, p = self.chance, self.p
        patient = chance.random() < (0.15 if self.late else 0.05)
        self.late = patient or chance.random() < 0.4
        p.control("DELETE", "faults")
        laid = list(faults(chance, self.late))
        for fault in laid:
            p.control("POST", "faults", fault)
        if chance.random() < 0.3:
            p.advance(chance.choice(["100ms", "1s", "5s", "20s"]))
        if chance.random() < (0.4 if patient else 0.2):
            args, lines = ["--recover"], []
        else:
            args = ["--max-in-flight", str(chance.randint(1, 8)),
                    *(["--resend-not-sent"] if chance.random() < 0.1 else [])]
            lines = (self.lines.all[-chance.randint(1, 6):] if self.lines.all
                     else []) + [self.lines.more() for _ in range(chance.randint(2, 6))]
        self.past = [*self.past[-4:], (laid, args, lines)]
        return self.run(args, lines, patient)

    def run(self, args, lines, patient=False):
        """Run the gate once, and kill it before its Nth call or at a random moment. Returns whether it was killed.
        During a patient run the service's clock is stepped by a minute."""
        chance, env = self.chance, {}
        moment = chance.uniform(0.5, 2) if patient else chance.uniform(0, 0.2)
        if not patient and chance.random() < 0.6 and self.shim:
            env = {"LD_PRELOAD": SHIM, "OG_NTH": str(chance.randint(1, CALLS))}
            moment = 0.3
        wait = "60s" if patient else "500ms"
        pauses = chance.choice([(), (), (), (), ("sender",), ("brokerage",), ("sender", "brokerage")])
        if self.shim and pauses:
            env = {"LD_PRELOAD": SHIM, **env, "OG_NTH_STOOD": str(chance.choice([0, 300, 1000, 60000]))}
        with Sender(self.p.url, self.home, "--broker", self.loose, "--timeout", "150ms", "--wait", wait, *args,
                    env=env) as gate:
            try:
                gate.feed(*lines)
                if chance.random() < 0.5:
                    gate.close_input()
            except BrokenPipeError:
                pass  # it was killed before it read them
            early = chance.uniform(0, min(moment, 0.2)) if pauses else 0
            self.wait(gate, early, False)
            self.stand_still(gate, pauses)
            self.wait(gate, moment - early, patient)
            gate.kill().finish()
            self.hear(gate)
            return gate.process.returncode == -signal.SIGKILL

    def stand_still(self, gate, pauses):
        """Suspend these processes for a moment. The sender's clocks may pretend that it took longer (nth.c)."""
        those = [{"sender": gate.process, "brokerage": self.p.process}[who] for who in pauses]
        for process in those:
            process.send_signal(signal.SIGSTOP)
        self.wait(gate, self.chance.choice([0.01, 0.03, 0.2]) if those else 0, False)
        for process in those:
            process.send_signal(signal.SIGCONT)

    def wait(self, gate, moment, step):
        """Wait that long, or until the process ends. If `step` is true, step the service's clock meanwhile."""
        end = time.monotonic() + moment
        while gate.open and time.monotonic() < end:
            if step:
                self.p.advance("500ms")
            with gate.changed:
                gate.changed.wait_for(lambda: gate.open == 0,
                                      min(0.025 if step else moment, max(0, end - time.monotonic())))

    def recover(self):
        """Recover without faults: every order is looked up until its outcome is known. The service's clock is stepped
        by a minute."""
        with Sender(self.p.url, self.home, "--recover", "--wait", "60s", "--broker", self.loose, lines=[]) as gate:
            self.wait(gate, 60, True)
            code = gate.finish()
            self.hear(gate)
            if code not in (0, 1, 4) or "unknown" in gate.outcomes().values():
                raise AssertionError(f"recovered, exit {code}: {gate.outcomes()}, {gate.stderr}")

    # --- what must be true after each run

    def hear(self, gate):
        begun = self.begun()
        for e in gate.events:
            i = e.get("clientOrderId")  # events about the stream have no id
            if e["event"] == "decision" and e["verdict"] == "accept" and e.get("op") != "cancel":
                self.accepted.add(i)
            if e["event"] != "outcome" or not i or e.get("op") == "cancel" or e["outcome"] not in OVER:
                continue
            # the account could not be read, so the line is given again
            if e["outcome"] == "not-sent" and i not in begun:
                self.accepted.discard(i)
                continue
            before = self.told.get(i)
            if before not in (None, "not-sent", e["outcome"]):
                raise AssertionError(f"{i} was told to be {before}, and is told to be {e['outcome']} now")
            self.told[i] = e["outcome"]

    def begun(self):
        """Returns the ids of the orders that have an intent."""
        if not self.is_begun():
            return set()
        db = sqlite3.connect(f"file:{self.home.ledger}?mode=rw", uri=True)
        try:
            return {row[0] for row in db.execute("SELECT id FROM rows WHERE record = 'intent'")}
        finally:
            db.close()

    def witness(self):
        """Returns what the brokerage has received since the last call."""
        for r in self.p.control("GET", f"requests?since={self.seen}")["requests"]:
            self.seen = r["n"]
            if r["method"] == "POST" and r["effect"]:
                i = json.loads(r["body"])["clientOrderId"]
                self.effects[i] += 1
                if self.effects[i] > 1:
                    raise AssertionError(f"{i} was received twice with effect")

    def is_begun(self):
        """Returns whether a run has created the ledger's tables: on a busy machine ten runs in a row may be killed
        before that. It asks through a connection that may write, because a killed run may have left a log that must
        be recovered first."""
        if not os.path.exists(self.home.ledger):
            return False
        db = sqlite3.connect(f"file:{self.home.ledger}?mode=rw", uri=True)
        try:
            return db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        finally:
            db.close()

    def check_chain(self):
        if not self.effects and not self.is_begun():
            return
        done = subprocess.run([SEND.replace("-send", "-ledger"), "verify", "--ledger", self.home.ledger],
                              capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"ledger verify: {done.stdout} {done.stderr}")

    def compare(self):
        theirs = {o["clientOrderId"].split("INVALID")[0]: o for o in self.p.control("GET", "orders")["orders"]}
        ours = {r["id"]: r for r in self.home.rows("record <> 'decision' AND id IS NOT NULL")}
        intents = collections.Counter(r["id"] for r in self.home.rows("record = 'intent'"))

        def none(wrong, what):
            if wrong:
                raise AssertionError(f"{what}: {wrong}")

        none({i for i, n in intents.items() if n > 1 and not self.resent(i)}, "more than one intent")
        none(set(theirs) - set(intents), "at the broker and not in the ledger")
        none(self.accepted - set(intents), "accepted and in no ledger")
        none(set(self.effects) ^ set(theirs), "received and not kept")
        none({i: (ours[i]["state"], o["orderStatus"]) for i, o in theirs.items()
              if ours[i]["state"] != STATES.get(o["orderStatus"])},
             "ledger and broker differ")
        none({i: (ours[i]["executed"], o["executed"]) for i, o in theirs.items()
              if micros(ours[i]["executed"]) != micros(o["executed"])},
             "executed differs")
        none({i: ours[i]["state"] for i in intents if i not in theirs and ours[i]["state"] not in (
            "not-sent", "canceled" if ours[i]["text"] == "canceled before it was posted" else "rejected")},
             "in the ledger, and not at the broker")
        # an order that was not sent and whose cancel is recorded is reported as canceled by later runs
        withdrawn = {r["id"] for r in self.home.rows("record = 'withdraw'")} - set(theirs)
        none({i: (o, ours[i]["state"]) for i, o in self.told.items() if i in intents and ours[i]["state"] != o and
              not (o == "not-sent" and intents[i] > 1) and
              not (o == "canceled" and ours[i]["state"] == "not-sent" and i in withdrawn)}, "told otherwise")
        self.counts = collections.Counter(ours[i]["state"] for i in intents)

    def resent(self, i):
        return bool(self.home.rows(f"id = '{i}' AND state = 'not-sent'"))

    def evidence(self):
        kept = tempfile.mkdtemp(prefix=f"campaign-{self.seed}-")
        shutil.copytree(self.home.path, kept, dirs_exist_ok=True)
        for name, path in (("orders", "orders"), ("requests", "requests?since=0")):
            with open(os.path.join(kept, name + ".json"), "w") as f:
                json.dump(self.p.control("GET", path), f, indent=1)
        return f"the ledger and the brokerage's record are in {kept}; the newest runs were:\n" + "\n".join(
            map(str, self.past))


def micros(number):
    return round(float(number or 0) * 1000000)


class Campaign(unittest.TestCase):
    def test_kills(self):
        shim, seasons = shim_works(), range(SEED, SEED + -(-KILLS // SEASON))
        counts, failures = collections.Counter(), []
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for season in [pool.submit(Season, seed, min(SEASON, KILLS), shim) for seed in seasons]:
                if season.exception():
                    failures.append(str(season.exception()))
                    print(failures[-1], flush=True)
                else:
                    counts += season.result().counts
        print(f"{KILLS} kills, seeds {seasons[0]} to {seasons[-1]}: {dict(counts)}", flush=True)
        self.assertEqual(failures, [])


if __name__ == "__main__":
    main()
