"""The tables of options: what is made of them (--help, the SYNOPSIS of the man pages, completion) agrees with what the
programs take, and a mistyped option names its neighbour."""
import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

BIN = os.environ["OG_BIN"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGES = {
    "ordergate.1": ["check", "lint", "test", "rules", "explain", "policy show", "policy digest", "policy explain",
                    "policy diff", "policy new",
                    "policy sign", "policy verify", "policy defaults", "policy schema", "fmt", "schema", ""],
    "ordergate-test.1": ["test"],
    "ordergate-halt.1": ["halt", "resume"],
    **{f"ordergate-{name}.1": [name]
       for name in ("send", "broker", "watch", "ledger", "waive", "report", "guard", "flatten", "paper", "lsp")},
}
ELSEWHERE = ("ordergate.1", "test")  # which has a page of its own
COMMANDS = sorted({command for commands in PAGES.values() for command in commands} | {"policy"})


def run(command, *args):
    return subprocess.run([os.path.join(BIN, "ordergate"), *command.split(), *args], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=600, check=False)


def words(command):
    done = run(command, "--help=words")
    assert done.returncode == 0, (command, done.stderr)
    return [line.split("\t") for line in done.stdout.splitlines()]


class Options(unittest.TestCase):
    def test_the_man_pages_describe_every_option(self):
        for page, commands in PAGES.items():
            with open(os.path.join(ROOT, "tools", page), encoding="utf-8") as f:
                text = f.read()
            about = re.sub(r"\\&|[\\ ]|\bNs\b", "", text.split(".Sh DESCRIPTION\n")[1])
            for command in commands:
                for word, _, _ in words(command):
                    if word.startswith("--") and word not in ("--help", "--version") and (page, command) != ELSEWHERE:
                        self.assertIn("Fl" + word[1:], about, (page, command))

    def test_the_man_pages_have_the_events_and_records_of_the_contract(self):
        with open(os.path.join(ROOT, "docs/contract.md"), encoding="utf-8") as f:
            contract = f.read()
        events = re.findall(r"^\| `([a-z-]+)` \|", contract.split("### Events\n")[1].split("\n`reason` of")[0], re.M)
        records = re.search(r"`record` is\n`([a-z\s-]+)`", contract)[1].split()
        self.assertGreater(min(len(events), len(records)), 10)
        for page, section, names in (("send", ".Ss Events\n", events), ("ledger", ".It Li record\n", records)):
            with open(os.path.join(ROOT, "tools", f"ordergate-{page}.1"), encoding="utf-8") as f:
                text = f.read().split(section)[1].split("\n.S" if page == "send" else "\n.It")[0]
            for name in names:
                self.assertRegex(text, rf"(?m)^\.It Li {name}$" if page == "send" else rf"[ ,]{name}( ,|$|\n)", page)

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "no man")
    def test_the_man_pages_give_no_warnings(self):
        pages = glob.glob(os.path.join(ROOT, "tools", "*.[157]"))
        self.assertGreater(len(pages), 15)
        for page in pages:
            with open(page, encoding="utf-8") as f:
                if f.read().startswith(".so "):  # another page, found only where pages are installed
                    continue
            for width in ("80", "120"):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
                                      capture_output=True, text=True, timeout=600, check=False,
                                      env={**os.environ, "MANWIDTH": width, "LC_ALL": "C.UTF-8"})
                self.assertEqual((done.returncode, done.stderr), (0, ""), (page, width))

    def test_the_man_page_says_what_send_warns_of(self):
        with open(os.path.join(ROOT, "tools", "ordergate-send.1"), encoding="utf-8") as f:
            text = " ".join(f.read().split())
        self.assertIn("If the environment is live, a policy that passes orders so is warned of", text)
        self.assertRegex(text, "It stays although its setting .Li latch is taken out of the policy")
        self.assertIn("unless it is closed or a terminal", text)

    def test_help_lists_the_options_that_words_lists_in_lines_that_fit(self):
        for command in COMMANDS:
            text = run(command, "--help").stdout
            self.assertTrue(text.startswith(f"usage: ordergate {command}".rstrip()), command)
            self.assertLessEqual(max(map(len, text.splitlines())), 120, command)
            self.assertEqual(re.findall(r"^  (?:-\w, | {4})(--[a-z-]+)", text, re.M),
                             [word for word, _, _ in words(command) if word.startswith("--")], command)

    def test_what_no_table_has_is_2_and_names_the_neighbour(self):
        for command in COMMANDS:
            options = [(word, value) for word, value, _ in words(command) if word.startswith("--")]
            done = run(command, "--nope-and-never")
            self.assertEqual((done.returncode, done.stdout), (2, ""), command)
            self.assertIn("there is no option '--nope-and-never'; see ordergate", done.stderr)
            for word, value in options[:2] + [(word, value) for word, value in options[2:] if "|" in value]:
                near = word[:-1] + ("x" if word[-1] != "x" else "y")
                done = run(command, near)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (command, near))
                self.assertRegex(done.stderr, r"did you mean '--[a-z-]+'\?\n$", (command, near))
                if value and not value.startswith("[="):
                    self.assertIn(f"option '{word}' needs a value", run(command, word).stderr)
                elif not value and word != "--help":
                    self.assertIn(f"option '{word}' takes no value", run(command, word + "=1").stderr)
                if "|" in value:
                    done = run(command, word, "nonsense")
                    self.assertEqual(done.returncode, 2, (command, word))
                    self.assertIn(f"{word} 'nonsense': expected {value.split('|')[0]}", done.stderr)

    def test_lengths_numbers_and_times_are_judged(self):
        for command, option, value, told in (
                ("send", "--max-in-flight", "0", "a whole number from 1 to 1000"),
                ("send", "--max-in-flight", "1001", "a whole number from 1 to 1000"),
                ("send", "--max-in-flight", " 5", "a whole number from 1 to 1000"),
                ("send", "--max-in-flight", "99999999999999999999", "a whole number from 1 to 1000"),
                ("send", "--wait", "0s", "a duration"), ("send", "--wait", "-1s", "a duration"),
                ("watch", "--count", "0", "a whole number from 1"), ("watch", "--for", "soon", "a duration"),
                ("waive", "--for", "25h", "from 1s to 24h"), ("waive", "--for", "999ms", "from 1s to 24h"),
                ("waive", "--digest", "sha256:AB", "64 hex digits in small letters"),
                ("check", "--at", "2026-01-15", "RFC 3339"), ("check", "--account", "", "not empty"),
                ("paper", "--seed", "-1", "a whole number"), ("paper", "--listen", "8787", "HOST:PORT"),
                ("paper", "--max-connections", "8193", "a whole number from 1 to 8192"),
                ("broker", "--days", "x", "a whole number"), ("broker", "--max-price", "-1", "dollars a share"),
                ("broker", "--symbol", "", "a text")):
            done = run(command, option, value)
            self.assertEqual((done.returncode, done.stdout), (2, ""), (command, option, value))
            self.assertIn(f"{option} '{value}': expected ", done.stderr)
            self.assertIn(told, done.stderr)
        done = run("check", *["-p", "live"] * 65)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "ordergate check: --policy 'live': expected at most 64 of them; "
                                      "see ordergate check --help\n")

    def test_a_file_that_cannot_be_used_is_told_with_the_option_or_key_that_names_it(self):
        """The option is told, or the key of the broker file."""
        with tempfile.TemporaryDirectory() as home:
            broker = os.path.join(home, "broker.yaml")
            with open(broker, "w", encoding="utf-8") as f:
                f.write("base_url: http://127.0.0.1:1\nkey_id: k\nsecret_key_file: gone.key\n")
            with_ca, key = os.path.join(home, "ca.yaml"), os.path.join(home, "secret")
            for path, text in ((key, "s3cret"), (with_ca, "base_url: https://127.0.0.1:1\nkey_id: k\n"
                                                          "secret_key_file: secret\nca_file: gone.pem\n")):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
                os.chmod(path, 0o600)
            os.chmod(broker, 0o600)
            for command, args, text in (
                    ("send", ("--broker", "brokr.yaml"), "'brokr.yaml' does not exist (it is given by --broker)"),
                    ("broker", ("accounts", "--broker", "brokr.yaml"), "does not exist (it is given by --broker)"),
                    ("check", ("--facts", "facs.json"), "'facs.json' does not exist (it is given by --facts)"),
                    ("send", ("--broker", broker),
                     f"{broker}:3:18: 'secret_key_file': '{home}/gone.key' does not exist"),
                    ("send", ("--broker", with_ca), f"{with_ca}:4:10: 'ca_file': '{home}/gone.pem' does not exist")):
                with self.subTest(command=command, args=args):
                    self.assertIn(text, run(command, *args).stderr)

    def test_a_misspelt_rule_is_told_with_its_neighbour(self):
        done = run("policy explain", "-p", "live", "--rule", "order-notionl")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("there is no such rule; did you mean 'order-notional'?", done.stderr)

    def test_a_resume_of_what_is_not_halted_says_so(self):
        with tempfile.TemporaryDirectory() as home:
            flag = os.path.join(home, "flag")
            self.assertIn(f"nothing was halted by '{flag}'", run("resume", "--flag", flag, "--reason", "test").stderr)
            run("halt", "--flag", flag)
            self.assertNotIn("nothing was halted", run("resume", "--flag", flag, "--reason", "test").stderr)

    def test_bash_completes_commands_options_and_their_words(self):
        script = os.path.join(ROOT, "tools", "completions", "ordergate.bash")
        for line, some in (("ordergate l", {"lint", "ledger", "lsp"}),
                           ("ordergate policy d", {"diff", "digest", "defaults"}),
                           ("ordergate check --or", {"--orders-only"}), ("ordergate check --emit o", {"orders"}),
                           ("ordergate send --until ", {"acked", "final"}),
                           ("ordergate policy diff --form", {"--format"}),
                           ("ordergate ledger res", {"resolve"}),
                           ("ordergate check --orders-only --ind", {"--independent"}),
                           ("ordergate check -p li", {"live"}), ("ordergate send --policy sm", {"small-account"}),
                           ("ordergate check -p ./nothing-h", set()),
                           ("ordergate policy show opt", {"options-income"}),
                           ("ordergate policy diff live cau", {"cautious"}),
                           ("ordergate ledger list --state wor", {"working"}),
                           ("ordergate ledger list --rule price-co", {"price-collar"}),
                           ("ordergate waive --rule order-no", {"order-notional"}),
                           ("ordergate explain tag-li", {"tag-limits", "tag-limits-without-tag"}),
                           ("ordergate explain -p cau", {"cautious"})):
            given = " ".join(f'"{word}"' for word in line.split(" "))
            done = subprocess.run(
                ["bash", "-c", f'. "{script}"; COMP_WORDS=({given}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); '
                 '_ordergate; printf "%s\\n" "${COMPREPLY[@]}"'], capture_output=True, text=True, timeout=600,
                check=False, env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
            self.assertEqual((set(done.stdout.split()), done.stderr), (some, ""), line)

    def test_the_words_of_values_are_taken(self):
        """What is completed is what the program takes: each shipped policy, rule, reason and state."""
        values = {word: value.split()[1:] for word, value, _ in words("ledger")}
        with tempfile.TemporaryDirectory() as home:
            for state in values["--state"]:
                done = run("ledger", "list", "--ledger", os.path.join(home, "none"), "--state", state)
                self.assertNotIn("is not a state", done.stderr, state)
        self.assertGreaterEqual(len(values["--state"]), 11)
        policies = dict((word, value) for word, value, _ in words("check"))["-p"].split()[1:]
        self.assertEqual(run("policy digest", *policies[:1]).returncode, 0)
        self.assertIn("live", policies)
        explained = [word for word, value, _ in words("explain") if not word.startswith("-")]
        self.assertEqual(run("explain", *explained).returncode, 0)


if __name__ == "__main__":
    unittest.main()
