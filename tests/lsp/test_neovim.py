#!/usr/bin/env python3
"""Neovim without a screen, as a client of `ordergate lsp`. Skipped (77) if Neovim is not installed: it is not among
the packages of tools/setup, since it needs 30 MB for this test alone."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from lsp_client import AT, GATE
from test_diagnostics import Case, lint
from test_language import explained

TEXT = """ordergate: 1
name: desk
unsure: maybe
description: "é😀"
rules:
  price-collar: {level: refuse, reasons: {"é😀": warn}, away: 5%}
  trading:   refuse
"""


class Neovim(Case):
    def test_it_shows_what_lint_finds_explains_completes_and_lays_out(self):
        path = self.file(TEXT)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neovim.lua")
        done = subprocess.run(
            ["nvim", "--headless", "--clean", "-n", "-c", "luafile " + script, "-c", "cquit 2"],
            env={**os.environ, "LSP_FILE": path, "LSP_GATE": GATE, "LSP_AT": AT, "HOME": self.dir,
                 "XDG_STATE_HOME": self.dir, "XDG_DATA_HOME": self.dir, "XDG_CONFIG_HOME": self.dir},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stderr.strip().split("\n")[-1])
        self.assertEqual([(one["line"] + 1, one["col"] + 1, one["end_col"] - one["col"], one["message"])
                          for one in answer["opened"]],
                         [(one["line"], one["col"], one["width"], one["message"]) for one in lint(path)])
        self.assertEqual(len(answer["opened"]), 2)
        self.assertEqual(answer["hover"], explained("price-collar"))
        self.assertIn("away", answer["items"])
        self.assertEqual([one["message"] for one in answer["changed"]], [answer["opened"][1]["message"]])
        self.assertEqual(answer["text"] + "\n",
                         TEXT.replace("unsure: maybe", "unsure: warn").replace("trading:   refuse", "trading: refuse"))


if __name__ == "__main__":
    if not shutil.which("nvim"):
        print("skipped: Neovim (nvim) is not installed; it is not among the packages of tools/setup")
        sys.exit(77)
    unittest.main()
