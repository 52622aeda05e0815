"""The generated files are up to date with the register and the tables of options: run tools/generate if one
fails.

OG_BIN names the folder of the programs (CTest sets it).
"""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def run(*args):
    return subprocess.run([GATE, *args], capture_output=True, check=True, timeout=600).stdout


class Generated(unittest.TestCase):
    def up_to_date(self, path, *args):
        with open(os.path.join(ROOT, path), "rb") as f:
            self.assertTrue(f.read() == run(*args), f"{path} is old: run tools/generate")

    def test_the_manual_of_rules(self):
        self.up_to_date("rules/README.md", "rules", "--markdown")

    def test_the_schemas(self):
        for name in ("decision", "order", "facts", "policy", "test", "status"):
            self.up_to_date(f"include/ordergate/schema/{name}.json", "schema", name)

    def test_the_manual_names_everything(self):
        text = run("rules", "--markdown").decode()
        for rule in json.loads(run("rules", "--json")):
            self.assertIn(f"## `{rule['id']}` ({rule['code']})", text)
            for reason in rule["reasons"]:
                self.assertIn(f"| `{reason['id']}` | {reason['level']} |", text)
        for code in ("R24", "R152", "R06", "16"):
            self.assertIn(f"| {code} | ", text)

    def test_one_command_writes_all_of_it(self):
        made = ["rules/README.md", "policies/reference.yaml"]
        made += [f"include/ordergate/schema/{name}.json"
                 for name in ("decision", "order", "facts", "policy", "test", "status")]
        pages = glob.glob("tools/ordergate*.1", root_dir=ROOT)
        pages.remove("tools/ordergate-resume.1")  # which only names that of halt
        pages.remove("tools/ordergate-console.1")  # only the sender starts it: the synopsis has the sender's options
        with tempfile.TemporaryDirectory() as tree:
            os.mkdir(os.path.join(tree, "tools"))
            command = shutil.copy(os.path.join(ROOT, "tools", "generate"), os.path.join(tree, "tools"))
            for wrong in ([tree], ["a", "b"]):
                p = subprocess.run([command, *wrong], capture_output=True, timeout=600)
                self.assertEqual((p.returncode, os.listdir(tree)), (2, ["tools"]), p.stderr)
            for page in pages:  # the pages as they are, with the parts replaced that are generated
                with open(os.path.join(ROOT, page), encoding="utf-8") as old:
                    text = re.sub(r"(\n\.Sh (?:SYNOPSIS|OPTIONS)\n).*?(?=\n\.Sh)", r"\1.Nm gone", old.read(),
                                  flags=re.S)
                with open(os.path.join(tree, page), "w", encoding="utf-8") as new:
                    new.write(text)
            subprocess.run([command, os.environ["OG_BIN"]], check=True, timeout=600)
            seen = [os.path.relpath(os.path.join(at, name), tree) for at, _, names in os.walk(tree) for name in names]
            self.assertEqual(sorted(seen), sorted(made + pages + ["tools/generate"]))
            for path in made + pages:
                with open(os.path.join(tree, path), "rb") as new, open(os.path.join(ROOT, path), "rb") as old:
                    self.assertTrue(new.read() == old.read(), path)

    def test_no_other_schema(self):
        for args in (["nothing"], [], ["decision", "order"], ["--nope"]):
            p = subprocess.run([GATE, "schema", *args], capture_output=True, timeout=600)
            self.assertEqual((p.returncode, p.stdout), (2, b""), args)


if __name__ == "__main__":
    unittest.main()
