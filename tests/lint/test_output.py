#!/usr/bin/env python3
"""What lint prints: SARIF with its required structure, JSON, annotations; comments that suppress findings; --fix
and its diff."""
import json
import os
import re
import subprocess
import unittest

from lint_case import is_one_file, AT, GATE, LintCase, pages
import sarif

DESK = """ordergate: 1
# a desk of two
rules:
  order-notional: {level: refuse, most: 50}   # a slip
  market-huors: warn
  allowed-symbols:
    level: refuse
    allowed:
      - AAPL
      - MSFT
      - AAPL # again
      - gme
"""
SLIP = "ordergate: 1\nunsure: refuse\nrules:\n  order-notional:\n    level: refuse\n    most: 50%s\n"


class Formats(LintCase):
    def sarif(self, *args, **more):
        log = json.loads(self.gate("lint", "--at", AT, "--format", "sarif", *args, **more).stdout)
        self.assertEqual(sarif.faults(log), [])
        return log

    def test_sarif_has_what_the_standard_requires(self):
        path = self.file(SLIP % " # ordergate-lint: ignore unit-slip - tests"
                         + "  exposure: {level: refuse, gross: 10}\n")
        log = self.sarif(path, self.file("ordergate: 1\nrules:\n  market-huors: warn\n", "é b.yaml"))
        self.assertEqual(log["version"], "2.1.0")
        run, = log["runs"]
        driver = run["tool"]["driver"]
        self.assertEqual([r["id"] for r in driver["rules"]], [p["code"] for p in pages()])
        for rule in driver["rules"]:
            self.assertTrue(rule["shortDescription"]["text"] and rule["fullDescription"]["text"]
                            and rule["help"]["text"])
            self.assertIn(rule["defaultConfiguration"]["level"], ("error", "warning"))
        results = run["results"]
        self.assertEqual([r["ruleId"] for r in results], ["unit-slip", "limit-idle", "unit-slip", "unknown-rule"])
        for result in results:
            self.assertEqual(driver["rules"][result["ruleIndex"]]["id"], result["ruleId"])
            self.assertEqual(result["level"], driver["rules"][result["ruleIndex"]]["defaultConfiguration"]["level"])
            place = result["locations"][0]["physicalLocation"]
            self.assertRegex(place["artifactLocation"]["uri"], r"^[A-Za-z0-9._~/%-]+$")
            self.assertGreaterEqual(min(place["region"].values()), 1)
        slip = results[0]
        self.assertEqual(slip["suppressions"], [{"kind": "inSource", "justification": "tests"}])
        self.assertEqual(slip["properties"]["witness"]["verdict"], "refuse")
        typo = results[-1]
        change, = typo["fixes"][0]["artifactChanges"]
        replacement, = change["replacements"]
        self.assertEqual(replacement["insertedContent"], {"text": "market-hours"})
        self.assertEqual(replacement["deletedRegion"], {"byteOffset": 22, "byteLength": 12})
        self.assertNotIn("suppressions", typo)

    def test_sarif_of_everything_there_is(self):
        """The SARIF of each page's bad example, alone and together in one log, has the required form. The checker
        of the form is itself shown to find errors."""
        paths = []
        for i, page in enumerate(p for p in pages() if p["bad"] and is_one_file(p)):
            paths.append(self.file(page["bad"], f"{i} %.yaml"))
            log = self.sarif(paths[-1])
            result, = [r for r in log["runs"][0]["results"] if "suppressions" not in r]
            self.assertEqual(result["ruleId"], page["code"])
        log = self.sarif(*paths)
        self.assertGreaterEqual(len(log["runs"][0]["results"]), len(paths))
        for path, wrong in ((["runs", 0, "results", 0, "level"], "hint"),
                            (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"], 0),
                            (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"],
                             "a b"), (["version"], "2.0")):
            at = log
            for key in path[:-1]:
                at = at[key]
            right, at[path[-1]] = at[path[-1]], wrong
            self.assertEqual(len(sarif.faults(log)), 1, path)
            at[path[-1]] = right
        del log["runs"][0]["tool"]["driver"]["name"]
        self.assertEqual(sarif.faults(log), ["/runs[0]/tool/driver: no name"])

    def test_sarif_of_bytes_and_places_that_are_odd(self):
        log = self.sarif("-",
                         input="ordergate: 1\ndescription: \"\u00e9\u00e9\"\nrules: {\"\u00e9{0}\": warn}\n".encode())
        self.assertEqual(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"],
                         {"startLine": 3, "startColumn": 9})
        self.sarif("-", input=b"ordergate: 1\nname: a\x01\xffb\n\"")
        self.sarif("-", input=b"")
        os.mkdir(os.path.join(self.dir.name, "sub dir"))
        self.file("ordergate: 1\nrules: {market-huors: warn}\n", "sub dir/a:b.yaml")
        for path in ("sub dir/a:b.yaml", "./sub dir/a:b.yaml",
                     os.path.join(os.path.realpath(self.dir.name), "sub dir", "a:b.yaml")):
            log = self.sarif(path, cwd=os.path.realpath(self.dir.name))
            result, = log["runs"][0]["results"]
            self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"],
                             {"uri": "sub%20dir/a%3Ab.yaml"})
            out = self.gate("lint", "--format", "github", path, cwd=os.path.realpath(self.dir.name)).stdout.decode()
            self.assertTrue(out.startswith("::error file=sub dir/a%3Ab.yaml,line=2,col=9,title=unknown-rule::"), out)

    def test_sarif_says_what_was_not_looked_for(self):
        sound, maimed, lost = self.file("ordergate: 1\n", "a.yaml"), self.file(
            "ordergate: 1\nodd: 1\n", "b.yaml"), self.file("ordergate: [\n", "c.yaml")
        self.assertNotIn("invocations", self.sarif(sound)["runs"][0])
        invocation, = self.sarif(sound, maimed, lost)["runs"][0]["invocations"]
        notes = invocation["toolExecutionNotifications"]
        self.assertEqual([os.path.basename(n["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
                          for n in notes], ["b.yaml", "c.yaml"])
        few, all_ = (int(n["message"]["text"].split()[0]) for n in notes)
        warnings = sum(p["severity"] == "warning" for p in pages())
        self.assertTrue(0 < few < all_ == warnings, (few, all_, warnings))

    def test_sarif_counts_characters(self):
        log = self.sarif(self.file('ordergate: 1\nrules: {"é": warn, market-huors: warn}\n'))
        columns = [r["locations"][0]["physicalLocation"]["region"]["startColumn"] for r in log["runs"][0]["results"]]
        self.assertEqual(columns, [9, 20])
        self.assertEqual(log["runs"][0]["columnKind"], "unicodeCodePoints")

    def test_github_annotations_cannot_be_broken_out_of(self):
        path = self.file('ordergate: 1\nrules: {"a,b:c%\\nx": warn}\n', "a,b:c.yaml")
        out = self.gate("lint", "--format", "github", path, code=1).stdout.decode()
        self.assertRegex(
            out, r"^::error file=[^,:]*a%2Cb%3Ac\.yaml,line=2,col=9,title=unknown-rule::there is no rule [^\n]*\n$")
        out = self.gate("lint", "--at", AT, "--format", "github", self.file(SLIP % ""), code=0).stdout.decode()
        self.assertRegex(out, r"^::warning file=.*title=unit-slip::.*%0Awitness: \{.*\n$")

    def test_text_shows_the_witness_below(self):
        lines = self.gate("lint", "--at", AT, self.file(SLIP % ""), code=0).stdout.decode().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[0], r":6:11: warning: 'most' is 50: .* \[unit-slip\]$")
        json.loads(lines[1].removeprefix("    witness: "))
        self.assertRegex(lines[2], r"^      at 2026-11-..T..:00:00Z, an ordinary order, refused by 'order-notional'")
        self.assertEqual(len(self.gate("lint", "--at", AT, "--no-witness", self.file(SLIP % "")).stdout.splitlines()),
                         1)

    def test_the_list(self):
        lines = self.gate("lint", "--list", code=0).stdout.decode().splitlines()
        self.assertEqual([line.split()[0] for line in lines], [p["code"] for p in pages()])

    def test_a_pipe_is_read_once(self):
        """A policy that is read from a pipe, as in `ordergate lint <(...)`, has the same findings as a file with
        that text."""
        text = SLIP % ""
        path = self.file(text)
        for name in ("/dev/fd/0", "/dev/stdin", "-"):
            with self.subTest(name):
                done = self.gate("lint", "--at", AT, "--format", "json", name, input=text.encode(), code=0)
                found = json.loads(done.stdout)
                self.assertEqual({f.pop("file") for f in found}, {"stdin" if name == "-" else name})
                self.assertEqual(found, [{k: v for k, v in f.items() if k != "file"} for f in self.lint(path)])
        self.assertEqual(self.gate("lint", "--fix", "/dev/fd/0", input=text.encode()).returncode, 2)

    def test_usage(self):
        desk = self.file("ordergate: 1\n")
        for args in (["--dry-run", desk], ["--fix", "-"], ["--fix", "live"], ["--fix", "--format", "json", desk],
                     ["--list", desk], ["--for", "watch", desk], ["--list", "--format", "sarif"],
                     ["--at", "yesterday", desk]):
            self.assertEqual(self.gate("lint", *args).returncode, 2, args)
        self.assertEqual(self.gate("lint", "-f", self.file("[", "facts.json"), desk).returncode, 3)
        self.assertEqual(self.gate("lint", "-f", os.path.join(self.dir.name, "gone"), desk).returncode, 3)

    def test_facts_of_ones_own_decide_the_witness(self):
        facts = self.file('{"asOf":"2026-11-20T15:00:00Z","quotes":{}}', "own.json")
        found, = self.lint(self.file(SLIP % ""), "-f", facts)
        self.assertEqual(found["code"], "unit-slip")
        self.assertEqual(found["witness"]["at"], AT)
        self.assertIsNone(found["witness"]["facts"])


class BesideErrors(LintCase):
    """In a policy that does not load, the parts without errors are linted in the same run."""

    def found(self, text):
        return [(f["line"], f["code"]) for f in self.lint(self.file("ordergate: 1\n" + text))]

    def test_one_misspelt_key_hides_nothing(self):
        slips = "".join(f"      - match: {{symbol: {s}}}\n        most: 90\n" for s in ("SPY*", "QQQ*", "IWM*"))
        text = "unsur: warn\nrules:\n  order-notional:\n    level: refuse\n    most: 50\n    overrides:\n" + slips + \
            "  exposure: {level: refuse, gross: 10}\n  allowed-symbols: {level: refuse, allowed: [gme, A, A]}\n"
        self.assertEqual(self.found(text), [(2, "unknown-key"), (6, "unit-slip"), (8, "pattern-glob"),
                                            (10, "pattern-glob"), (12, "pattern-glob"),
                                            (14, "unit-slip"), (15, "symbol-case"), (15, "duplicate-item")])

    def test_every_kind_of_fault_is_cut_out(self):
        slip = "  order-notional: {level: refuse, most: 50}\n"
        for fault in ("  market-huors: warn\n", "  price-collar: {awya: 2%}\n", "  price-collar: {away: 2}\n",
                      "  price-collar: {level: wran, away: 2%}\n",
                      "  price-collar: {away: 2%, level: wran}\n", "  price-collar:\n    away: two\n",
                      "  price-collar:\n    - 1\n", "  price-collar: [1, 2]\n",
                      "  price-collar:\n    overrides:\n      - match: {side: Bye}\n        away: 3%\n      - 5\n",
                      "  market-hours: {closed: [2026-13-01, 2026-12-24]}\n",
                      "  market-hours: {closed: [2026-12-24, 2026-13-01]}\n", "  day-loss: {level: refuse, most: "
                                                                              "-1}\n",
                      "  day-loss: {level: refuse, most: \"5\"}\n", "  price-collar: &a {away: 2%}\n",
                      "  price-collar: {overrides: [{until: 2027-01-01T00:00:00Z, match: {side: Buy}, away: 3%}]}\n",
                      "  price-collar: {reasons: {odd: warn, more: warn}}\n",
                      "  price-collar: {overrides: [{when: order.symbl == 'A', away: 3%}]}\n",
                      "  price-collar:\n  price-collar:\n"):
            with self.subTest(fault):
                found = self.found("rules:\n" + fault + slip)
                self.assertTrue(any(code != "unit-slip" for _, code in found))
                self.assertIn((fault.count("\n") + 3, "unit-slip"), found)
        for fault in ("extends: [lvie]\n", "extends: live.yaml\n", "mode: of\n", "custom: 5\n",
                      "custom: [{require: 'true'}]\n", "lists: {a: b}\n", "max_age: {quote: 5s}\n",
                      "custom:\n  - {id: a, require: order.symbl == \"A\"}\n",
                      "custom: [{id: a, require: 'x in lists.meme'}]\n", "environment: Live\n"):
            with self.subTest(fault):
                self.assertIn((fault.count("\n") + 3, "unit-slip"), self.found(fault + "rules:\n" + slip))

    def test_nothing_is_said_that_the_error_brought_about(self):
        for text in ("rules:\n  price-floor: {levle: refuse, stock: 5}\n",  # or: the rule is off
                     "rules:\n  option-contracts: {level: refuse, an_order: 10}\n  order-notional: {level: refuse, "
                     "mots: 5000}\n",  # or: a hole
                     "rules:\n  price-collar:\n    away: 5%\n    overrides:\n      - {match: {sied: Buy}, away: 2%}\n  "
                     "    - {match: {side: Sell}, away: 3%}\n",
                     "rules:\n  price-collar:\n    away: 5%\n    overrides:\n      - {match: {side: Sell}, awya: "
                     "3%}\n",  # or: it changes nothing
                     "extends: [lvie]\nrules:\n  price-floor: {stock: 5}\n",
                     "unsure: reufse\nrules:\n  open-orders: {level: warn, unsure: refuse, in_total: 5}\n",
                     # or: a list that nobody names
                     "lists: {meme: [GME]}\ncustom: [{id: a, require: 'order.symbl in lists.meme'}]\n",
                     "environment: live\nrules: {odd: 1}\n", "rules: {\n", "a: b: c\n",
                     "rules:\n  order-rate: {level: refuse, a_minute: 120, a_dya: 5000}\n"):
            with self.subTest(text):
                found = self.lint(self.file("ordergate: 1\n" + text))
                self.assertEqual({f["severity"] for f in found}, {"error"}, found)

    def test_what_is_silenced_in_it_stays_so(self):
        slip = "rules:\n  odd: 1\n  order-notional: {level: refuse, most: 50} # ordergate-lint: ignore %s - tests\n"
        self.assertEqual(self.found(slip % "unit-slip"), [(3, "unknown-rule")])
        self.assertEqual(self.found(slip % "unit-slip, size-hole"), [(3, "unknown-rule")])  # nobody knows of a hole

    def test_a_floor_that_is_wrong_is_left_out(self):
        floor = self.file("ordergate: 1\nrules: {odd: 1}\n", "floor.yaml")
        path = self.file("ordergate: 1\nrules: {order-notional: {level: refuse, most: 50}}\n")
        found = self.lint(path, "--floor", floor)
        self.assertEqual([(os.path.basename(f["file"]), f["code"]) for f in found],
                         [("desk.yaml", "unit-slip"), ("floor.yaml", "unknown-rule")])


class Silence(LintCase):
    def test_on_the_line_and_above_it(self):
        self.assertEqual(self.codes(SLIP % ""), ["unit-slip"])
        self.assertEqual(self.codes(SLIP % " # ordergate-lint: ignore unit-slip - tests"), [])
        above = SLIP.replace("    most", "    # ordergate-lint: ignore unit-slip - tests\n    # more\n\n    most") % ""
        self.assertEqual(self.codes(above), [])
        self.assertEqual(self.codes(SLIP % "" + "# ordergate-lint: ignore unit-slip - tests\n"),
                         ["unit-slip", "ignore-unused"])

    def test_several_codes(self):
        text = SLIP % " # ordergate-lint: ignore unit-slip, limit-idle - tests"
        self.assertEqual(self.codes(text), ["ignore-unused"])
        both = text + "  exposure: {level: refuse, gross: 10} # ordergate-lint: ignore unit-slip - likewise\n"
        self.assertEqual(self.codes(both), [])

    def test_a_reason_is_asked_for(self):
        found = self.lint(self.file(SLIP % " # ordergate-lint: ignore unit-slip"))
        self.assertEqual([(f["code"], f["line"], f["col"]) for f in found], [("ignore-reason", 6, 39)])
        self.assertEqual(self.codes(SLIP % " # ordergate-lint: ignore unit-slip -  "), ["ignore-reason"])

    def test_what_silences_nothing_is_said(self):
        for comment, text in (("ignore unit-slp - x", "did you mean 'unit-slip'"),
                              ("ignore unknown-key - x", "cannot be silenced"),
                              ("ignore size-hole - x", "remove this comment")):
            found = [f for f in self.lint(self.file(SLIP % f" # ordergate-lint: {comment}"))
                     if f["code"] == "ignore-unused"]
            self.assertIn(text, found[0]["message"])

    def test_an_error_stays(self):
        text = "ordergate: 1\nrules:\n  market-huors: warn # ordergate-lint: ignore unknown-rule - x\n"
        self.assertEqual(self.codes(text), ["unknown-rule", "ignore-unused"])

    def test_a_text_is_no_comment(self):
        self.assertEqual(self.codes('ordergate: 1\ndescription: "a#ordergate-lint: ignore unit-slip"\n'), [])


class Fix(LintCase):
    def test_it_repairs_in_place_and_keeps_all_else(self):
        path = self.file(DESK)
        os.chmod(path, 0o640)
        done = self.gate("lint", "--at", AT, "--fix", path, code=0)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(),
                             DESK.replace("huors", "hours").replace("      - AAPL # again\n", "").replace("gme", "GME"))
        self.assertEqual(os.stat(path).st_mode & 0o7777, 0o640)
        said = done.stdout.decode().splitlines()
        self.assertRegex(said[0], r"desk\.yaml:5:3: fixed: 'market-huors' becomes 'market-hours' \[unknown-rule\]$")
        self.assertEqual(sum(": fixed: " in line for line in said), 3)
        self.assertTrue(any("[unit-slip]" in line for line in said))
        self.assertEqual(os.listdir(self.dir.name), ["desk.yaml"])

    def test_dry_run_prints_a_diff_that_patch_takes(self):
        path = self.file(DESK + "".join(f"# line {i}\n" for i in range(20)) + "name: desk\nunsur: warn")
        done = self.gate("lint", "--at", AT, "--fix", "--dry-run", path, code=1)
        with open(path, encoding="utf-8") as f:
            before = f.read()
        self.assertIn("market-huors", before)
        diff = done.stdout.decode()
        self.assertEqual(self.apply(before, diff), before.replace("huors", "hours").replace("unsur:", "unsure:")
                         .replace("      - AAPL # again\n", "").replace("gme", "GME"))
        self.gate("lint", "--at", AT, "--fix", path)
        with open(path, encoding="utf-8") as f:
            self.assertNotIn("unsur:", f.read())

    def apply(self, text, diff):
        """Returns the text after the unified diff is applied to it."""
        old, new, at, mark = text.splitlines(True), [], 0, ""
        for line in diff.splitlines(True)[2:]:
            hunk = re.match(r"@@ -(\d+),\d+ \+(\d+),\d+ @@", line)
            if hunk:
                new += old[at:int(hunk[1]) - 1]
                at = int(hunk[1]) - 1
                self.assertEqual(len(new), int(hunk[2]) - 1)
            elif line.startswith("\\"):
                new[-1:] = [new[-1].rstrip("\n")] if mark != "-" else new[-1:]
            elif line[0] in " -":
                self.assertEqual(old[at].rstrip("\n"), line[1:].rstrip("\n"))
                new += [old[at]] if line[0] == " " else []
                at += 1
            else:
                new.append(line[1:])
            mark = line[0]
        return "".join(new + old[at:])

    def test_dry_run_shows_what_all_rounds_leave(self):
        """If one fix leads to another finding, the diff of --dry-run has the fixes for both, and a second run finds
        nothing to fix."""
        whole = """ordergate: 1
unsur: refuse
rules:
  market-huors: warn
  allowed-terms: {level: refuse, barred: [market, Market, GTC, "market"]}
  allowed-symbols: {level: refuse, alowed: [gme, GME, amc]}
  order-notional: {level: refuse, most: "50,000"}
  price-collar:
    overrides:
      - match: {symbol: "SPY*"}
        awya: 2%
lists: {meme: [GME, AMC, GME]}
custom:
  - {id: own, require: '!(order.symbol in lists.meme) || order.timeInForce in ["day"]'}
"""
        texts = [p["bad"] for p in pages() if p["fixes"]] + [whole]
        for text in texts:
            with self.subTest(text):
                path = self.file(text)
                diff = self.gate("lint", "--at", AT, "--fix", "--dry-run", path).stdout.decode()
                with open(path, encoding="utf-8") as f:
                    self.assertEqual(f.read(), text)
                first = self.gate("lint", "--at", AT, "--fix", path, code=0).stdout.decode()
                with open(path, encoding="utf-8") as f:
                    fixed = f.read()
                self.assertIn(": fixed: ", first)
                self.assertEqual(self.apply(text, diff), fixed)
                self.assertNotIn(": fixed: ", self.gate("lint", "--at", AT, "--fix", path, code=0).stdout.decode())
                self.assertEqual(self.gate("lint", "--at", AT, "--fix", "--dry-run", path).stdout, b"")
                with open(path, encoding="utf-8") as f:
                    self.assertEqual(f.read(), fixed)
        self.assertIn("barred: [Market, GoodTillCancel]", fixed)
        self.assertIn("allowed: [GME, AMC]", fixed)
        self.assertIn("most: 50000}", fixed)
        self.assertIn('lists.meme) || order.timeInForce in ["Day"]', fixed)

    def test_what_a_repair_may_not_change(self):
        """Fixes that remove a duplicate word or move an override into its rule change no decision."""
        orders = b"".join(json.dumps({"securityType": "Stock", "symbol": symbol, "side": "Buy", "openClose": "Open",
                                      "orderType": kind,
                                      "orderQuantity": 1, "timeInForce": "Day",
                                      "clientOrderId": f"{symbol}{kind}{price}",
                                      **({"limitPrice": price} if kind == "Limit" else {})}).encode() + b"\n"
                          for symbol in ("AAPL", "GME", "AMC") for kind in ("Market", "Limit") for price in (4, 100,
                                                                                                             104))
        facts = self.file('{"asOf":"%s","quotes":{"AAPL":{"bid":99.99,"ask":100.01}}}' % AT, "facts.json")
        for text in ("ordergate: 1\nrules:\n  allowed-symbols:\n    level: refuse\n    allowed: [AAPL, GME, AAPL]\n    "
                     "barred:\n      - GME\n      - GME\n",
                     "ordergate: 1\nrules: {price-collar: {level: refuse, overrides: [{match: {}, away: 3%, reasons: "
                     "{limit-away-from-quote: refuse}}]}}\n",
                     "ordergate: 1\nlists: {meme: [GME, GME]}\ncustom: [{id: own, require: '!(order.symbol in "
                     "lists.meme)'}]\n"):
            with self.subTest(text):
                path = self.file(text)
                said = [self.gate("check", "-p", path, "-f", facts, "--at", AT, input=orders).stdout]
                self.assertIn(b": fixed: ", self.gate("lint", "--at", AT, "--fix", path, code=0).stdout)
                said.append(self.gate("check", "-p", path, "-f", facts, "--at", AT, input=orders).stdout)
                before, after = ([(d["verdict"], d["findings"]) for d in map(json.loads, s.splitlines())] for s in said)
                self.assertEqual(before, after)
                self.assertIn("refuse", {d[0] for d in after})

    def test_a_floor_lies_over_what_is_repaired(self):
        self.file("ordergate: 1\nrules: {day-loss: {level: refuse, most: 100}}\n", "floor.yaml")
        path = self.file(
            "ordergate: 1\nrules: {market-huors: warn, allowed-symbols: {level: refuse, allowed: [gme, GME]}}\n")
        floor = ["--floor", os.path.join(self.dir.name, "floor.yaml")]
        self.gate("lint", "--at", AT, "--fix", *floor, path, code=0)
        with open(path, encoding="utf-8") as f:
            self.assertIn("allowed: [GME]", f.read())
        with open(path, "rb") as f:
            self.gate("lint", "--at", AT, *floor, "-", stdin=f, code=0)

    def test_a_link_stays_one(self):
        path = self.file("ordergate: 1\nrules: {market-huors: warn}\n", "real.yaml")
        link = os.path.join(self.dir.name, "link.yaml")
        os.symlink("real.yaml", link)
        self.gate("lint", "--fix", link, code=0)
        self.assertTrue(os.path.islink(link))
        with open(path, encoding="utf-8") as f:
            self.assertIn("market-hours", f.read())

    def test_what_is_not_certain_is_left(self):
        for text in ("ordergate: 1\nrules:\n  day-loss:\n    level: refuse\n    most: 5,00\n",
                     "ordergate: 1\nrules: {zzzzzzzz: warn}\n", "ordergate: 1\nrules: {price-collar: {away: 5}}\n"):
            path = self.file(text)
            self.gate("lint", "--fix", path, code=1)
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), text)

    def test_no_second_key_is_made(self):
        """A misspelt key whose map has the right one too, or a second misspelling of it, stays: either may be meant.
        In another map it is repaired."""
        for text, fixed in (("rules: {order-notional: {most: 50000, mots: 60000}}\n", None),
                            ("rules: {order-notional: {mots: 50000, most: 60000}}\n", None),
                            ("rules:\n  price-collar: refuse\n  price-colar: warn\n", None),
                            ("rules:\n  price-colar: refuse\n  'price-collr': warn\n",
                             "rules:\n  price-collar: refuse\n  'price-collr': warn\n"),
                            ("rules: {order-notional: {most: 50000, overrides: [{match: {side: Buy}, mots: 6000}]}}\n",
                             "rules: {order-notional: {most: 50000, overrides: [{match: {side: Buy}, most: 6000}]}}\n"),
                            ("descripton: a\ndescription: b\n", None)):
            with self.subTest(text):
                path = self.file("ordergate: 1\nname: t\nextends: [default]\n" + text)
                self.gate("lint", "--fix", path)
                with open(path, encoding="utf-8") as f:
                    self.assertEqual(f.read(), "ordergate: 1\nname: t\nextends: [default]\n" + (fixed or text))
                found = json.loads(self.gate("lint", "--format", "json", path).stdout)
                self.assertEqual([f["code"] for f in found if f["code"] == "yaml-duplicate-key"], [])
                self.assertFalse(any("fix" in f for f in found))

    def test_numbers_as_people_write_them(self):
        for seen, fixed in (("50,000", "50000"), ("1_000_000", "1000000"), ("$50000.50", "50000.50"),
                            ('"50000"', "50000"), ('"50,000"', "50000"), ("'$50000'", "50000"), ("'50000'", "50000")):
            path = self.file(f"ordergate: 1\nrules:\n  day-loss:\n    level: refuse\n    most: {seen} # dollars\n")
            self.gate("lint", "--fix", path, code=0)
            with open(path, encoding="utf-8") as f:
                self.assertIn(f"    most: {fixed} # dollars\n", f.read())

    def test_an_override_for_every_order_moves_into_its_rule(self):
        for before, after in (("  price-collar: {level: warn, overrides: [{match: {}, away: 5%, unsure: warn}]}\n",
                               "  price-collar: {level: warn, away: 5%, unsure: warn}\n"),
                              ("  price-collar:\n    overrides:\n      - match: {}\n        away: 5%\n        unsure: "
                               "warn\n  route: warn # x\n",
                               "  price-collar:\n    away: 5%\n    unsure: warn\n  route: warn # x\n"),
                              ("  price-collar:\n    overrides: # why\n      - match: {}\n        away: 5%\n", None),
                              ("  price-collar: {away: 4%, overrides: [{match: {}, away: 5%}]}\n", None),
                              (
                "  price-collar: {overrides: [{match: {}, away: 5%}, {match: {side: Buy}, away: 6%}]}\n", None)):
            path = self.file("ordergate: 1\nrules:\n" + before)
            self.gate("lint", "--fix", path, code=0)
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), "ordergate: 1\nrules:\n" + (after or before))

    def test_a_file_that_cannot_be_written_is_told(self):
        path = self.file("ordergate: 1\nrules: {market-huors: warn}\n")
        os.chmod(self.dir.name, 0o555)
        try:
            done = subprocess.run([GATE, "lint", "--fix", path], capture_output=True, timeout=600)
        finally:
            os.chmod(self.dir.name, 0o755)
        if os.geteuid() != 0:
            self.assertEqual(done.returncode, 4)
            self.assertIn(b"no new file can be created beside it", done.stderr)


if __name__ == "__main__":
    unittest.main()
