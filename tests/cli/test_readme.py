"""README's examples, run as a reader would run them.

A console block has commands after "$ ", and their output; "..." within a line stands for any text, on a line of its
own for any lines. "$ cat FILE" shows a file, which the test creates from the text. The output of the demo's block is
compared with a real run. OG_BIN names the folder of the programs; OG_DEMO=1 runs the demo's block only.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEMO = "tools/demo"


def blocks(kind):
    with open(os.path.join(TOP, "README.md")) as f:
        return re.findall(r"^```%s\n(.*?)^```$" % kind, f.read(), re.S | re.M)


def steps(block):
    """Returns the commands of a console block, as pairs of a command and its output."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def as_pattern(text):
    lines = []
    for line in text.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(r".*".join(re.escape(p) for p in line.split("...")) + r"\n")
    return re.compile("".join(lines) + r"\Z")


class Readme(unittest.TestCase):
    maxDiff = None

    def agree(self, command, expected, cwd, env):
        p = subprocess.run(["bash", "-c", command], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, timeout=900)
        if not as_pattern(expected).match(p.stdout):
            self.assertEqual(p.stdout, expected, "%s\n%s" % (command, p.stderr))

    @unittest.skipIf(os.environ.get("OG_DEMO"), "the demo alone")
    def test_examples(self):
        env = dict(os.environ, PATH=os.environ["OG_BIN"] + ":" + os.environ["PATH"], NO_COLOR="1")
        run = 0
        with tempfile.TemporaryDirectory() as cwd:
            for block in blocks("console"):
                for command, output in steps(block):
                    if command == DEMO:
                        continue
                    shown = re.fullmatch(r"cat (\S+)", command)
                    if shown:
                        with open(os.path.join(cwd, shown.group(1)), "w") as f:
                            f.write(output)
                    self.agree(command, output, cwd, env)
                    run += 1
        self.assertGreaterEqual(run, 4)

    @unittest.skipIf(os.environ.get("OG_DEMO"), "the demo alone")
    def test_the_c_program_is_the_one_that_the_consumer_test_builds_and_runs(self):
        with open(os.path.join(TOP, "tests/consumer/gate.c")) as f:
            program = f.read()
        self.assertEqual([program], blocks("c"))

    @unittest.skipUnless(os.environ.get("OG_DEMO"), "runs by itself: it builds")
    def test_the_demo(self):
        shown = [output for block in blocks("console") for command, output in steps(block) if command == DEMO]
        self.assertEqual(len(shown), 1)
        self.agree(DEMO, shown[0], TOP, dict(os.environ, NO_COLOR="1"))


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
