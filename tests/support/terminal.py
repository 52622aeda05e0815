"""What a program shows on a terminal: it runs in a pseudo-terminal of a given width, and its screens are compared with
stored ones. OG_SCREENS=write stores them."""
import errno
import fcntl
import os
import pty
import struct
import subprocess
import termios

DECIDE_COLOUR = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS")


def screen(argv, columns=80, env=None, stdin=subprocess.DEVNULL, stderr=None, **more):
    """What the program writes to a terminal of that width, without the carriage returns that it adds, and its exit
    code. stderr: the same terminal if it is None. more: environment variables; None removes one."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    kept = {k: v for k, v in (env or os.environ).items() if k not in DECIDE_COLOUR}
    given = {k: v for k, v in {**kept, "TERM": "xterm", **more}.items() if v is not None}
    process = subprocess.Popen(argv, stdin=stdin, stdout=other, stderr=other if stderr is None else stderr, env=given)
    os.close(other)
    seen = b""
    try:
        while piece := os.read(main, 65536):
            seen += piece
    except OSError as e:  # how Linux says that the terminal has no other end any more
        if e.errno != errno.EIO:
            raise
    finally:
        os.close(main)
    return seen.decode().replace("\r\n", "\n"), process.wait(timeout=600)


def settled(text):
    """The lines that stay on the screen: what was written over, or removed to the end of the line, is gone."""
    lines = []
    for line in text.split("\n"):
        shown = ""
        for i, part in enumerate(line.split("\r")):
            if i > 0:  # from the left again
                part, rest = part.split("\x1b[K")[-1], "" if "\x1b[K" in part else shown[len(part):]
                part += rest
            shown = part
        lines.append(shown)
    return "\n".join(lines)


class Screens:
    """Compares screens with the files of a folder; to be mixed into a TestCase."""
    FOLDER = None
    maxDiff = None

    def stored(self, name, text):
        path = os.path.join(self.FOLDER, name)
        if os.environ.get("OG_SCREENS") == "write":
            with open(path, "w") as f:
                f.write(text)
        with open(path) as f:
            self.assertEqual(text, f.read(), f"{path}; OG_SCREENS=write stores what is shown now")
