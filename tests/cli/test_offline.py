"""ordergate itself, lint, rules, explain and policy as the contract describes them: streams, formats, exit codes.

OG_BIN names the folder of the programs (CTest sets it).  What lint finds is in tests/policies.
"""
import json
import os
import re
import resource
import shutil
import stat
import subprocess
import tempfile
import unittest

from terminal import screen

BIN = os.environ["OG_BIN"]
GATE = os.path.join(BIN, "ordergate")


def gate(*args, program=GATE, **more):
    if "input" not in more:
        more["stdin"] = subprocess.DEVNULL
    return subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **more)


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, name, text):
        path = os.path.join(self.dir.name, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def expect(self, code, *args, **more):
        p = gate(*args, **more)
        self.assertEqual(p.returncode, code, (args, p.stdout[-500:], p.stderr[-500:]))
        return p.stdout.decode(), p.stderr.decode()


class Program(Case):
    def test_help_is_data_and_usage_faults_are_not(self):
        for args in (["--help"], ["-h"], ["help"], ["check", "--help"], ["lint", "--help"], ["rules", "--help"],
                     ["explain", "--help"], ["policy", "--help"], ["help", "lint"], ["lint", "-h"],
                     ["policy", "show", "--help"]):
            out, err = self.expect(0, *args)
            self.assertRegex(out, r"^usage: ordergate ", args)
            self.assertIn("exit: 0 ", out)
            self.assertEqual(err, "", args)
        for args in ([], ["lint"], ["explain"], ["policy"], ["lint", "--nope", "live"], ["rules", "--nope"],
                     ["explain", "--nope"], ["policy", "--nope"], ["lint", "--format", "xml", "live"],
                     ["lint", "--color", "sometimes", "live"], ["rules", "market-hours"], ["policy", "frobnicate"],
                     ["policy", "defaults", "live"], ["frobnicate"], ["../x"], [""]):
            out, err = self.expect(2, *args)
            self.assertEqual(out, "", args)
            self.assertNotEqual(err, "", args)

    def test_version(self):
        for args in (["--version"], ["lint", "--version"], ["check", "--version"], ["policy", "show", "--version"],
                     ["check", "-p", "live", "--version"]):
            out, err = self.expect(0, *args)
            self.assertRegex(out, r"^ordergate \d+\.\d+\.\d+\n$")
            self.assertEqual(err, "")

    def test_a_mistyped_word_names_its_neighbour(self):
        self.assertIn("did you mean 'lint'?", self.expect(2, "lnit")[1])
        self.assertIn("did you mean 'show'?", self.expect(2, "policy", "shwo", "live")[1])
        self.assertIn("did you mean 'market-hours'?", self.expect(1, "explain", "markt-hours")[1])

    def beside(self):
        """A copy of the program in its installed layout, with a sibling program that prints how it was called. A
        program finds its library in ../lib, beside its own folder."""
        folder = os.path.join(self.dir.name, "bin")
        os.mkdir(folder)
        os.symlink(os.path.join(BIN, "..", "lib"), os.path.join(self.dir.name, "lib"))
        program = os.path.join(folder, "ordergate")
        shutil.copy(GATE, program)
        neighbour = os.path.join(folder, "ordergate-send")
        with open(neighbour, "w", encoding="utf-8") as f:
            f.write('#!/bin/sh\necho "$0|$*"\nexit 5\n')
        os.chmod(neighbour, 0o755)
        return program, neighbour

    def test_other_commands_are_programs_beside_it(self):
        program, neighbour = self.beside()
        p = gate("send", "--wait", "3s", "a b", program=program, cwd="/")
        self.assertEqual((p.returncode, p.stdout.decode()), (5, neighbour + "|--wait 3s a b\n"))
        p = gate("help", "send", program=program)
        self.assertEqual(p.stdout.decode(), neighbour + "|--help\n")
        p = gate("paper", program=program)
        self.assertEqual((p.returncode, p.stdout), (4, b""))
        self.assertIn(b"ordergate-paper", p.stderr)
        os.chmod(neighbour, 0o644)
        self.assertEqual(gate("send", program=program).returncode, 4)

    def test_help_lists_what_is_there(self):
        program, _ = self.beside()
        listed = re.findall(r"^  ([a-z]+) {2,}", gate("--help", program=program).stdout.decode(), re.M)
        self.assertEqual(listed, ["check", "lint", "test", "rules", "explain", "policy", "fmt", "schema", "send"])

    def test_a_full_disk_is_4(self):
        with open("/dev/full", "wb") as full:
            for args in (["--help"], ["--version"], ["lint", "--help"], ["rules"], ["rules", "--json"],
                         ["rules", "--markdown"],
                         ["explain", "R78"], ["policy", "show", "live"], ["policy", "defaults"], ["policy", "digest"],
                         ["lint", "--format", "json", "live"]):
                p = subprocess.run([GATE, *args], stdout=full, stderr=subprocess.PIPE, timeout=600)
                self.assertEqual(p.returncode, 4, args)
                self.assertIn(b"stdout", p.stderr)

    def test_a_closed_stdout_is_4(self):
        for args in (["rules"], ["policy", "show", "live"]):
            p = subprocess.run(["/bin/sh", "-c", 'exec "$0" "$@" >&-', GATE, *args], stderr=subprocess.PIPE, timeout=99)
            self.assertEqual(p.returncode, 4, args)

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        p = subprocess.run(["/bin/bash", "-c",
                            f"'{GATE}' rules --json | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"],
                           stderr=subprocess.PIPE, timeout=600)
        self.assertEqual(p.stderr, b"")
        self.assertIn(p.returncode, (0, 141))


class Lint(Case):
    BAD = "ordergate: 1\nrules:\n  market-hour: refuse\n  price-collar: {overrides: [{match: {}}]}\n"

    def test_exit_codes(self):
        clean = self.file("clean.yaml", "ordergate: 1\n")
        bad = self.file("bad.yaml", self.BAD)
        warn = self.file("warn.yaml", "ordergate: 1\nrules: {price-collar: {overrides: [{match: {}}]}}\n")
        gone = os.path.join(self.dir.name, "gone.yaml")
        for code, args in ((0, [clean]), (1, [bad]), (0, [warn]), (1, ["--strict", warn]), (0, ["--strict", clean]),
                           (4, [gone]), (4, [gone, bad]), (4, [bad, gone, clean]), (1, [clean, bad]),
                           (0, ["live", "paper"]), (4, ["lvie"])):
            self.expect(code, "lint", *args)
        base = self.file("base.yaml", "ordergate: 1\nextends: [./gone.yaml]\n")
        self.assertIn("[extends-missing]", self.expect(1, "lint", base)[0])

    def test_a_missing_file_does_not_hide_the_others(self):
        bad = self.file("bad.yaml", self.BAD)
        out, err = self.expect(4, "lint", "gone.yaml", bad)
        self.assertIn("[unknown-rule]", out)
        self.assertIn("policy 'gone.yaml' does not exist", err)

    def test_text_is_exactly_the_contracts_line(self):
        bad = self.file("bad.yaml", self.BAD)
        out, err = self.expect(1, "lint", bad)
        self.assertEqual(out, f"{bad}:3:3: error: there is no rule 'market-hour'; did you mean 'market-hours'? "
                              f"[unknown-rule]\n"
                              f"{bad}:4:38: warning: an empty match is for every order: set the rule itself instead "
                              "[override-matches-all]\n")
        self.assertEqual(err, "")

    def test_stdin(self):
        out, _ = self.expect(1, "lint", "-", input=self.BAD.encode())
        self.assertRegex(out, r"^stdin:3:3: error: ")

    def test_json_has_the_same_findings(self):
        bad = self.file("bad.yaml", self.BAD)
        out, _ = self.expect(1, "lint", "--format", "json", bad, "live")
        found = json.loads(out)
        self.assertEqual([(f["file"], f["line"], f["col"], f["severity"], f["code"]) for f in found],
                         [(bad, 3, 3, "error", "unknown-rule"), (bad, 4, 38, "warning", "override-matches-all")])
        self.assertEqual(found[0]["message"], "there is no rule 'market-hour'; did you mean 'market-hours'?")
        self.assertEqual(json.loads(self.expect(0, "lint", "--format=json", "live")[0]), [])

    def test_json_survives_any_bytes(self):
        path = os.path.join(self.dir.name.encode(), b"a\"\\\n\xff\xc3\xa9\xed\xa0\x80.yaml")
        with open(path, "wb") as f:
            f.write("ordergate: 1\nname: \"\\t\\\"\\\\é\"\n".encode())
        p = gate("lint", "--format", "json", path)
        found = json.loads(p.stdout)
        self.assertEqual(os.path.basename(found[0]["file"]), "a\"\\\n\ufffdé\ufffd\ufffd\ufffd.yaml")
        self.assertIn("\"\\é", found[0]["message"])

    def test_sarif(self):
        bad = self.file("a b.yaml", self.BAD)
        log = json.loads(self.expect(1, "lint", "--format", "sarif", bad)[0])
        self.assertEqual(log["version"], "2.1.0")
        run, = log["runs"]
        self.assertEqual(run["tool"]["driver"]["name"], "ordergate")
        first = run["results"][0]
        self.assertEqual((first["ruleId"], first["level"]), ("unknown-rule", "error"))
        place = first["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], bad.replace(" ", "%20"))
        self.assertEqual(place["region"], {"startLine": 3, "startColumn": 3})
        self.assertEqual(len(run["results"]), 2)

    def on_a_terminal(self, *args, **environment):
        return screen([GATE, "lint", *args], stderr=subprocess.DEVNULL, **environment)[0]

    def test_people_see_colour_and_the_line_with_a_caret(self):
        bad = self.file("bad.yaml", self.BAD)
        text = self.on_a_terminal(bad)
        self.assertIn("\033[31m", text)
        self.assertIn("      market-hour: refuse\n      ^\n", text)
        self.assertNotIn("\033", self.on_a_terminal(bad, NO_COLOR="1"))
        self.assertIn("\033[31m", self.on_a_terminal(bad, NO_COLOR=""))
        self.assertNotIn("\033", self.on_a_terminal("--color", "never", bad))
        self.assertIn("\033[31m",
                      self.expect(1, "lint", "--color", "always", bad, env={**os.environ, "NO_COLOR": "1"})[0])
        self.assertNotIn("\033", self.expect(1, "lint", bad)[0])

    def test_a_policy_cannot_drive_the_terminal(self):
        bad = self.file("bad.yaml", 'ordergate: 1\n"\\e[31mx": 1\nname: "\x7f" # \x9b31m\n')
        self.assertNotRegex(self.on_a_terminal("--color", "never", bad), "[\x00-\x09\x0b-\x1f\x7f]")

    def test_a_deep_or_large_file_is_answered_at_once(self):
        for text in ("ordergate: 1\nrules: " + "[" * 500000, "ordergate: 1\nrules: " + "{a: " * 200000,
                     "ordergate: 1\nrules:\n" + "".join(f"  rule-{i}: refuse\n" for i in range(100000))):
            path = self.file("big.yaml", text)
            p = gate("lint", path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (10, 10)))
            self.assertEqual(p.returncode, 1, p.stderr)
            self.assertRegex(p.stdout.decode().splitlines()[-1], r"^.*:\d+:\d+: error: .* \[[a-z-]+\]$")


class Rules(Case):
    def test_json_is_the_whole_register(self):
        rules = json.loads(self.expect(0, "rules", "--json")[0])
        self.assertGreaterEqual(len(rules), 19)
        for rule in rules:
            self.assertEqual(set(rule), {"id", "code", "summary", "why", "stage", "decides", "locked", "waivable",
                                         "facts", "settings", "reasons"})
            for reason in rule["reasons"]:
                self.assertEqual(set(reason), {"id", "level", "undecided", "predicts", "message", "help", "where"})
            for setting in rule["settings"]:
                self.assertLessEqual({"key", "kind", "default", "least", "most", "help"}, set(setting))
        hours = next(r for r in rules if r["id"] == "market-hours")
        reason = next(r for r in hours["reasons"] if r["id"] == "market-outside-hours")
        self.assertEqual(reason["predicts"],
                         {"channel": "rejected", "code": "R78", "text": None, "certainty": "stated"})
        self.assertTrue(next(r for r in rules if r["id"] == "order-form")["locked"])

    def test_text_and_markdown_name_every_rule(self):
        rules = json.loads(self.expect(0, "rules", "--json")[0])
        text, manual = self.expect(0, "rules")[0], self.expect(0, "rules", "--markdown")[0]
        self.assertEqual(len(text.splitlines()), len(rules))
        for rule in rules:
            self.assertRegex(text, rf"(?m)^{rule['code']} +{rule['id']} +{rule['stage']} +")
            self.assertIn(f"\n## `{rule['id']}` ({rule['code']})\n", manual)
            for reason in rule["reasons"]:
                self.assertIn(f"\n| `{reason['id']}` | {reason['level']} |", manual)
        for line in manual.splitlines():
            if line.startswith("|"):
                self.assertIn(len(re.findall(r"(?<!\\)\|", line)), (3, 7, 8), line)


class Explain(Case):
    def test_every_rule_reason_and_code_is_explained(self):
        rules = json.loads(self.expect(0, "rules", "--json")[0])
        words = [r["id"] for r in rules] + [x["id"] for r in rules for x in r["reasons"]]
        words += ["R24", "R54", "R78", "R88", "R95", "R114", "R118", "R130", "R145", "R152"]
        out, err = self.expect(0, "explain", *words)
        self.assertEqual(err, "")
        for word in words:
            self.assertRegex(out, rf"(?m)^{word}[ :]")
        self.assertLessEqual(max(len(line) for line in out.splitlines() if "," not in line), 100)

    def test_a_rule_says_what_the_register_has(self):
        rule = next(r for r in json.loads(self.expect(0, "rules", "--json")[0]) if r["id"] == "price-collar")
        out = re.sub(r"\s+", " ", self.expect(0, "explain", "price-collar")[0])
        for piece in (rule["summary"], rule["why"], "Facts: quotes", "default 10%", "at least 0.01%",
                      "lower is stricter"):
            self.assertIn(piece, out)
        for reason in rule["reasons"]:
            self.assertIn(reason["message"], out)

    def test_a_code_names_what_predicts_it(self):
        out, _ = self.expect(0, "explain", "r78")
        self.assertRegex(out, r"^R78: market order outside regular trading hours\n")
        self.assertIn("market-outside-hours (rule market-hours)", out)
        self.assertIn("No rule predicts it", self.expect(0, "explain", "R06")[0])

    def test_a_name_of_expressions(self):
        out, _ = self.expect(0, "explain", "order.limitPrice")
        self.assertEqual(out, "order.limitPrice (a name of expressions, see ordergate-expressions(7))\n\n"
                         "  order.limitPrice\n    Is: its limit; for a spread the net price; no value without one\n"
                         "    Type: decimal, dollars a share\n")
        out, _ = self.expect(0, "explain", "position")
        for piece in ("  position.long\n", "  position.exposure\n", "    Facts: positions, orders\n"):
            self.assertIn(piece, out)
        self.assertNotIn("order.symbol", out)
        self.assertIn("did you mean 'order.limitPrice'?", self.expect(1, "explain", "order.limitprice")[1])

    def test_what_a_level_means_for_closes_is_told(self):
        for word in ("duplicate-order", "duplicate-working-order"):
            told = " ".join(self.expect(0, "explain", word)[0].split())
            self.assertIn("only closes, and fits, is warned of at most", told)

    def test_an_unknown_word_does_not_hide_the_others(self):
        out, err = self.expect(1, "explain", "R1", "R54")
        self.assertIn("R54: unable", out)
        self.assertIn("'R1'", err)


class Policy(Case):
    def test_show_without_a_name_is_the_default(self):
        self.assertEqual(self.expect(0, "policy", "show"), self.expect(0, "policy", "show", "default"))
        self.assertRegex(self.expect(0, "policy", "digest")[0], r"^default@sha256:[0-9a-f]{64}\n$")

    def test_policies_are_named_by_an_option_too(self):
        for verb in (["show"], ["show", "--origins"], ["digest"]):
            for names in (["live"], ["live", "cautious"]):
                options = [word for name in names for word in ("-p", name)]
                self.assertEqual(self.expect(0, "policy", *verb, *options), self.expect(0, "policy", *verb, *names))
            self.assertIn("not both", self.expect(2, "policy", *verb, "-p", "live", "cautious")[1])

    def test_an_unusable_policy_is_3_and_says_where(self):
        bad = self.file("bad.yaml", "ordergate: 1\nrules: {rout: warn}\n")
        out, err = self.expect(3, "policy", "show", bad)
        self.assertEqual((out, err),
                         ("", f"{bad}:2:9: error: there is no rule 'rout'; did you mean 'route'? [unknown-rule]\n"))
        self.assertIn("does not exist", self.expect(3, "policy", "digest", "gone.yaml")[1])

    def test_stdin_is_a_policy(self):
        out, _ = self.expect(0, "policy", "show", "-", input=b"ordergate: 1\nname: piped\n")
        self.assertIn('name: "piped"', out)

    def test_the_programs_files_are_not_writable_by_others(self):
        self.assertFalse(os.stat(GATE).st_mode & stat.S_IWOTH)


class Manual(Case):
    PAGE = os.path.join(os.environ.get("OG_SOURCE",
                                       os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")),
                        "tools", "ordergate.1")

    def test_its_examples_run(self):
        self.file("desk.yaml", "ordergate: 1\nextends: [live]\nrules: {market-hours: warn}\n")
        self.file("facts.json", "{}")
        self.file("orders.ndjson", "")
        self.file("order.json", '{"securityType":"Stock","symbol":"AAPL","side":"Buy","openClose":"Open"}')
        with open(self.PAGE, encoding="utf-8") as f:
            examples = re.findall(r"^\.Dl \$ (.*)$", f.read(), re.M)
        self.assertGreaterEqual(len(examples), 4)
        for example in examples:
            example = example.split(" | ordergate send")[0]  # faults_cancels has the whole, with a broker
            p = subprocess.run(["/bin/bash", "-c", example], cwd=self.dir.name, capture_output=True, timeout=600,
                               env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
            self.assertEqual((p.returncode, p.stderr), (1 if example.startswith("diff") else 0, b""), example)

    def test_it_names_every_command_and_policy(self):
        with open(self.PAGE, encoding="utf-8") as f:
            text = re.sub(r"[\\ ]", "", f.read())
        for command in re.findall(r"^  ([a-z]+) {2,}", self.expect(0, "--help")[0], re.M):
            self.assertIn(command, text)
        for name in ("default", "paper", "live", "cautious", "small-account", "options-income", "short-seller"):
            self.assertIn(".ItCm" + name, text)


if __name__ == "__main__":
    unittest.main()
