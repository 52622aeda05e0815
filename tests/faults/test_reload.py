"""A policy changes while send runs: by SIGHUP, or because its file changes, signed or not.

Both digests are reported and recorded. The signals and files are real; the tests wait for events or messages.
"""
import json
import os
import signal
import subprocess
import unittest

from paper import Paper, in_some_run
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")


def policy(shares, more=""):
    return (f"ordergate: 1\nname: desk\nextends: [default]\n{more}"
            f"rules:\n  order-quantity-limit: {{level: refuse, shares: {shares}}}\n")


def put(home, name, text):
    """Replace the file by renaming a new one over it."""
    os.rename(home.file(name + ".new", text), os.path.join(home.path, name))
    return os.path.join(home.path, name)


def keys(home):
    private, public = (os.path.join(home.path, n) for n in ("key", "key.pub"))
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return private, public


def sign(private, *policies):
    subprocess.run([GATE, "policy", "sign", "--key", private, *policies], check=True, capture_output=True, timeout=600)


def ask(gate, order_id, quantity):
    gate.feed(resting(order_id, orderQuantity=quantity))
    return gate.event("outcome", order_id)["outcome"], gate.event("decision", order_id)["policy"]


class Reload(unittest.TestCase):
    def test_on_hangup(self):
        in_some_run(self.on_hangup)

    def on_hangup(self):
        """Returns whether the signal caused the reload: files are also checked once a second."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            desk = put(home, "desk.yaml", policy(100))
            with Sender(p.url, home, "-p", desk) as gate:
                outcome, old = ask(gate, "a", 50)
                self.assertEqual(outcome, "working")
                put(home, "desk.yaml", policy(10))
                gate.kill(signal.SIGHUP)
                event = gate.event("policy")
                if event["why"] == "changed":
                    return False
                self.assertEqual((event["old"], event["why"], event["line"]), (old, "asked", None))
                self.assertEqual(ask(gate, "b", 50), ("refused", event["new"]))
                gate.kill(signal.SIGHUP)
                gate.wait_stderr("read again and is the same")
                self.assertEqual(gate.finish(2), 1)
            self.assertEqual(len(posts(p)), 1)
            row, = home.rows("record = 'policy'")
            detail = json.loads(row["detail"])
            self.assertEqual((detail["old"], detail["new"], detail["why"]), (old, event["new"], "asked"))
            self.assertTrue(detail["by"])
            for view, count in (("list", 2), ("export", None), ("stats", None), ("verify", None)):
                done = subprocess.run([GATE, "ledger", view, "--ledger", home.ledger], capture_output=True, timeout=600)
                self.assertEqual(done.returncode, 0, (view, done))
                if count:  # it is no order
                    self.assertEqual(len(done.stdout.splitlines()), count)
        return True

    def test_what_is_temporary_ends_by_itself(self):
        until = "2026-01-15T15:10:00"  # ten minutes after the service's clock begins
        with Paper(clock=RUNNING) as p, TempHome() as home:
            rule = (f"\n    level: refuse\n    shares: 10\n    overrides:\n"
                    f"      - {{until: {until}Z, reason: for now, shares: 100}}\n")
            desk = put(home, "desk.yaml", policy(10).replace(" {level: refuse, shares: 10}\n", rule))
            with Sender(p.url, home, "-p", desk) as gate:
                verdicts = []
                while not verdicts or verdicts[-1] == "accept":
                    name = f"u{len(verdicts)}"
                    gate.feed(resting(name, orderQuantity=50))
                    said = gate.event("decision", name)
                    verdicts.append(said["verdict"])
                    self.assertEqual(said["verdict"], "accept" if said["at"] < until else "refuse")
                    if len(verdicts) == 2:
                        p.advance("10m")
                self.assertEqual(verdicts[0], "accept")
                code, outcomes = gate.finish(len(verdicts)), gate.outcomes()
                # an order may have been accepted right before the change, and refused right before it would have been
                # sent
                self.assertEqual(code, 4 if "not-sent" in outcomes.values() else 1, (gate.events[-6:], gate.stderr))
            self.assertEqual(home.rows("record = 'policy'"), [])  # the policy is the same all the time

    def test_a_file_it_stands_on_changes(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            put(home, "base.yaml", policy(100))
            with Sender(p.url, home, "-p", home.file("desk.yaml", "ordergate: 1\nextends: [base.yaml]\n")) as gate:
                self.assertEqual(ask(gate, "a", 50)[0], "working")
                put(home, "base.yaml", policy(10))
                event = gate.event("policy", why="changed")
                self.assertEqual(ask(gate, "b", 50), ("refused", event["new"]))
                self.assertEqual(gate.finish(2), 1)

    def test_one_that_does_not_load_leaves_the_old(self):
        in_some_run(self.one_that_does_not_load)

    def one_that_does_not_load(self):
        """Returns whether the sender itself noticed the last change; a missing file may have been reported first."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            desk = put(home, "desk.yaml", policy(100))
            with Sender(p.url, home, "-p", desk) as gate:
                _, old = ask(gate, "a", 50)
                put(home, "desk.yaml", policy(10) + "  rout: warn\n")
                gate.kill(signal.SIGHUP)
                gate.wait_stderr(f"policy {old} stays in force")
                self.assertIn("desk.yaml:6:3: error: there is no rule 'rout'", gate.stderr)
                self.assertEqual(ask(gate, "b", 50), ("working", old))
                os.remove(desk)
                gate.kill(signal.SIGHUP)
                gate.wait_stderr("does not exist")
                put(home, "desk.yaml", policy(10))
                why = gate.event("policy")["why"]
                self.assertIn(why, ("changed", "asked"))
                self.assertEqual(ask(gate, "c", 50)[0], "refused")
                self.assertEqual(gate.finish(3), 1)
        return why == "changed"

    def test_a_list_with_a_word_that_no_symbol_can_be_leaves_the_old(self):
        """Each word is reported at its line of the list's file; the list in force still bars what it barred."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            rule = ("lists: {banned: {file: banned.txt}}\ncustom:\n"
                    "  - {id: no-banned, require: '!(order.symbol in lists.banned)', level: refuse}\n")
            put(home, "banned.txt", "GME\n")
            desk = put(home, "desk.yaml", policy(100) + rule)
            with Sender(p.url, home, "-p", desk) as gate:
                _, old = ask(gate, "a", 50)
                for i, word in enumerate(("gme", "$GME", "'GME'", "GME\u200b", "G\u041cE")):
                    put(home, "banned.txt", f"# of today\n{word}\n")
                    gate.kill(signal.SIGHUP)
                    gate.wait_stderr(f"banned.txt:2:1: error: no symbol is '{word}', with which order.symbol is ")
                    gate.feed(resting(f"b{i}", symbol="GME"))
                    said = gate.event("decision", f"b{i}")
                    self.assertEqual((said["verdict"], said["policy"]), ("refuse", old), word)
                self.assertIn(f"policy {old} stays in force", gate.stderr)
                put(home, "banned.txt", "# of today\nAAPL\n")
                gate.kill(signal.SIGHUP)
                new = gate.event("policy")["new"]
                self.assertNotEqual(new, old)
                self.assertEqual(ask(gate, "c", 50), ("refused", new))
                self.assertEqual(gate.finish(7), 1)

    def test_what_is_no_policy_leaves_the_old(self):
        """A file that is not a policy leaves the old policy in force, under a lock too. One of the cases once crashed
        a running gate."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            put(home, "firm.yaml", policy(100).replace("shares: 100}", "shares: 100, lock: true}"))
            over = "ordergate: 1\nextends: [firm.yaml]\nrules:\n  order-quantity-limit:\n    "
            desk = put(home, "desk.yaml", over + "shares: 100\n")
            with Sender(p.url, home, "-p", desk) as gate:
                _, old = ask(gate, "a", 50)
                for i, items in enumerate(("\n      -\n", " [~]\n", " [x]\n",
                                           " [[], {match: {side: Buy}, shares: 7}]\n",
                                           " [{match: {side: Buy}, shares: 101}]\n")):
                    told = f"policy {old} stays in force"
                    before = gate.stderr.count(told)
                    put(home, "desk.yaml", over + "overrides:" + items)
                    gate.kill(signal.SIGHUP)
                    gate.wait_until(lambda told=told, before=before: gate.stderr.count(told) > before, told)
                    self.assertEqual(ask(gate, f"b{i}", 50), ("working", old), items)
                put(home, "desk.yaml", over + "shares: 10\n")
                gate.kill(signal.SIGHUP)
                gate.event("policy")
                self.assertEqual(ask(gate, "c", 50)[0], "refused")
                self.assertEqual(gate.finish(7), 1)

    def test_another_environment_is_for_another_run(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            desk = put(home, "desk.yaml", policy(100, "environment: paper\n"))
            with Sender(p.url, home, "-p", desk) as gate:
                _, old = ask(gate, "a", 50)
                put(home, "desk.yaml", policy(10, "environment: live\n"))
                gate.kill(signal.SIGHUP)
                gate.wait_stderr("is for environment live, this run is for another")
                self.assertEqual(ask(gate, "b", 50), ("working", old))
                self.assertEqual(gate.finish(2), 0)

    def test_signed(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            private, public = keys(home)
            desk = put(home, "desk.yaml", policy(100))
            code, gate = send(p.url, home, [resting("x")], "-p", desk, "--require-signature", public, orders=0)
            self.assertEqual(code, 3)
            # the message is about the whole file, so it names no line
            self.assertIn(f"{desk}.sig: error: ", gate.stderr)
            self.assertIn("[signature-missing]", gate.stderr)
            self.assertEqual(posts(p), [])
            sign(private, desk)
            with Sender(p.url, home, "-p", desk, "--require-signature", public) as gate:
                _, old = ask(gate, "a", 50)
                put(home, "desk.yaml", policy(10))
                gate.wait_stderr("[signature-of-another]")
                self.assertEqual(ask(gate, "b", 50), ("working", old))
                sign(private, desk)
                gate.event("policy")
                self.assertEqual(ask(gate, "c", 50)[0], "refused")
                self.assertEqual(gate.finish(3), 1)

    def test_the_brokers_settings_may_demand_it(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            private, public = keys(home)
            desk = put(home, "desk.yaml", policy(100))
            broker = home.file("broker.yaml", "require_signature: key.pub\n")
            for more in ({"env": {"ORDERGATE_REQUIRE_SIGNATURE": public}}, {"args": ["--broker", broker]}):
                args = ["-p", desk, *more.pop("args", [])]
                code, gate = send(p.url, home, [resting("x")], *args, orders=0, **more)
                self.assertEqual((code, posts(p)), (3, []), gate.stderr)
                self.assertIn("[signature-missing]", gate.stderr)
                sign(private, desk)
                code, gate = send(p.url, home, [resting("y" + str(len(args)))], *args, "--dry-run", **more)
                self.assertEqual(gate.events_of("decision")[0]["verdict"], "accept", gate.stderr)
                os.remove(desk + ".sig")

    def test_a_key_that_is_gone_is_told_with_the_setting_that_demands_it(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            private, public = keys(home)
            desk = put(home, "desk.yaml", policy(100))
            sign(private, desk)
            for words in ("require_signature: gone.pub\n", "require_signatures: {need: 1, keys: [gone.pub]}\n"):
                broker = home.file("broker.yaml", "# keys\n" + words)
                code, gate = send(p.url, home, [resting("x")], "-p", desk, "--broker", broker, orders=0)
                self.assertEqual((code, posts(p)), (3, []), gate.stderr)
                self.assertIn("[key-unusable]", gate.stderr)
                key = words.split(":")[0]
                self.assertRegex(gate.stderr, f"{broker}:2:[0-9]+: '{key}': '.*gone.pub' does not exist")

    def test_a_demand_whose_path_is_empty_is_one_that_nothing_meets(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            private, public = keys(home)
            desk = put(home, "desk.yaml", policy(100))
            sign(private, desk)
            for args in ([], ["--require-signature", public]):
                code, gate = send(p.url, home, [resting("x")], "-p", desk, *args, orders=0,
                                  env={"ORDERGATE_REQUIRE_SIGNATURE": ""})
                self.assertEqual((code, posts(p)), (3, []), gate.stderr)
                self.assertIn("ORDERGATE_REQUIRE_SIGNATURE", gate.stderr)
                self.assertIn("[key-unusable]", gate.stderr)

    def test_demands_of_all_who_may_make_them_add_up(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            private, public = keys(home)
            desk = put(home, "desk.yaml", policy(100))
            mine = home.file("mine.key", "")
            subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", mine], check=True,
                           capture_output=True)
            os.chmod(mine, 0o600)
            subprocess.run(["openssl", "pkey", "-in", mine, "-pubout", "-out", mine + ".pub"], check=True)
            sign(mine, desk)
            broker = home.file("broker.yaml", "require_signature: key.pub\n")
            by_file, by_env = ["--broker", broker], {"env": {"ORDERGATE_REQUIRE_SIGNATURE": public}}
            by_option = ["--require-signature", mine + ".pub"]
            beside = home.file("mine.yaml", "require_signature: mine.key.pub\n")
            ways = ((by_file + by_option, {}), (by_option, by_env), (["--broker", beside], by_env),
                    (by_option + ["--require-signature", public], {}))
            for args, more in ways:
                code, gate = send(p.url, home, [resting("x")], "-p", desk, *args, orders=0, **more)
                self.assertEqual((code, posts(p)), (3, []), (args, gate.stderr))
                self.assertIn("[signature-wrong]", gate.stderr)
            sign(private, desk)
            for n, (args, more) in enumerate(ways):
                code, gate = send(p.url, home, [resting(f"y{n}")], "-p", desk, *args, "--dry-run", **more)
                self.assertEqual(gate.events_of("decision")[0]["verdict"], "accept", gate.stderr)

    def some_keys(self, home, *names):
        out = {}
        for name in names:
            os.makedirs(os.path.join(home.path, name), exist_ok=True)
            private, public = (os.path.join(home.path, name, n) for n in ("key", "key.pub"))
            subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
            subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
            out[name] = private
        return out

    def test_two_of_three_must_sign(self):
        """The broker file demands the signatures, both at the start and for a change of the policy. Options may demand
        more signatures, never fewer."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            key = self.some_keys(home, "ann", "ben", "eve", "mine")
            desk = put(home, "desk.yaml", policy(100))
            args = ["-p", desk, "--broker", home.file("broker.yaml", "require_signatures:\n  need: 2\n"
                                                      "  keys: [ann/key.pub, ben/key.pub, eve/key.pub]\n")]
            fewer = args + ["--require-signature", key["ann"] + ".pub", "--require-signature", key["ben"] + ".pub",
                            "--need-signatures", "1"]
            sign(key["ann"], desk)
            for way in (args, fewer, args + ["--require-signature", key["ann"] + ".pub"]):
                code, gate = send(p.url, home, [resting("x")], *way, orders=0)
                self.assertEqual((code, posts(p)), (3, []), gate.stderr)
                self.assertIn("2 of 3 keys must have signed, 1 have", gate.stderr)
            sign(key["eve"], desk)
            code, gate = send(p.url, home, [resting("x")], *args, "--require-signature", key["mine"] + ".pub", orders=0)
            self.assertEqual((code, posts(p)), (3, []), gate.stderr)
            self.assertIn("[signature-wrong]", gate.stderr)
            with Sender(p.url, home, *fewer) as gate:
                _, old = ask(gate, "a", 50)
                put(home, "desk.yaml", policy(10))
                gate.wait_stderr("[signature-of-another]")
                sign(key["ben"], desk)
                gate.wait_stderr("[signatures-too-few]")
                gate.wait_stderr(f"policy {old} stays in force")
                self.assertEqual(ask(gate, "b", 50), ("working", old))
                sign(key["eve"], desk)
                event = gate.event("policy")
                self.assertEqual(ask(gate, "c", 50), ("refused", event["new"]))
                self.assertEqual(gate.finish(3), 1)

    def test_a_list_changes_under_its_own_key(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            key = self.some_keys(home, "ann", "ops")
            names = put(home, "names.txt", "GME\n")
            subprocess.run([GATE, "policy", "sign", "--key", key["ops"], "--list", names], check=True, timeout=600,
                           capture_output=True)
            desk = put(home, "desk.yaml", policy(100, "lists: {names: {file: names.txt, key: ops/key.pub}}\n") +
                       "custom:\n  - {id: barred, require: '!(order.symbol in lists.names)'}\n")
            sign(key["ann"], desk)
            with Sender(p.url, home, "-p", desk, "--require-signature", key["ann"] + ".pub") as gate:
                _, old = ask(gate, "a", 50)
                put(home, "names.txt", "AAPL\n")
                gate.wait_stderr("[list-unsigned]")
                gate.wait_stderr(f"policy {old} stays in force")
                self.assertEqual(ask(gate, "b", 50), ("working", old))
                subprocess.run([GATE, "policy", "sign", "--key", key["ops"], "--list", names], check=True, timeout=600,
                               capture_output=True)
                event = gate.event("policy")
                self.assertEqual((event["old"], event["new"] == old), (old, False))
                self.assertEqual(ask(gate, "c", 50), ("refused", event["new"]))
                self.assertEqual(gate.finish(3), 1)


if __name__ == "__main__":
    main()
