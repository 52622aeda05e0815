"""A scripted client of `ordergate lsp`: starts it, sends messages, waits for answers and notifications."""
import json
import os
import queue
import subprocess
import threading
import urllib.parse

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-11-20T15:00:00Z"
DEADLINE = 120  # seconds: a hang fails, load does not


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.realpath(path))


def path_of(uri):
    return urllib.parse.unquote(uri[len("file://"):])


def framed(body):
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Client:
    """One server. With encoding "utf-8" the client asks for positions in bytes."""

    def __init__(self, *options, encoding=None, initialize=True):
        self.process = subprocess.Popen([GATE, "lsp", "--at", AT, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages, self.waiting, self.last_id = queue.Queue(), [], 0
        self.told = {}  # by URI: what was published last
        self.reader = threading.Thread(target=self.read_all, daemon=True)
        self.reader.start()
        if initialize:
            general = {"positionEncodings": [encoding, "utf-16"]} if encoding else {}
            self.capabilities = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {
                "general": general}})["capabilities"]
            self.notify("initialized", {})

    def read_all(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                name, value = line.split(b":")
                if name == b"Content-Length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            message = json.loads(out.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.told[message["params"]["uri"]] = message["params"]["diagnostics"]
            self.messages.put(message)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """The whole answer to a request."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.wait(lambda m: m.get("id") == self.last_id and "method" not in m)

    def request(self, method, params):
        answer = self.ask(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def wait(self, wanted):
        """Returns the first message, of those not waited for yet, for which wanted() is true."""
        for i, message in enumerate(self.waiting):
            if wanted(message):
                return self.waiting.pop(i)
        while True:
            message = self.messages.get(timeout=DEADLINE)
            assert message is not None, f"the server ended: {self.process.stderr.read()}"
            if wanted(message):
                return message
            self.waiting.append(message)

    # --- documents ---

    def open(self, path, text=None, version=1):
        """Open a document; returns its diagnostics."""
        if text is None:
            with open(path, encoding="utf-8", newline="") as f:
                text = f.read()
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri_of(path), "languageId": "yaml", "version": version, "text": text}})
        return self.diagnostics(path, version)

    def change(self, path, text, version):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri_of(path), "version": version},
                                               "contentChanges": [{"text": text}]})
        return self.diagnostics(path, version)

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def diagnostics(self, path, version=None):
        """The next diagnostics published for a file."""
        return self.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                         and m["params"]["uri"] == uri_of(path)
                         and (version is None or m["params"].get("version") == version))["params"]["diagnostics"]

    def diagnostics_of(self, path):
        """Returns the diagnostics that were published last for a file, as far as they have come."""
        return self.told[uri_of(path)]

    def at(self, method, path, line, character, **more):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri_of(path)},
                                                       "position": {"line": line, "character": character}, **more})

    # --- the end ---

    def end(self):
        """Close the input; returns the exit code and what was printed on stderr."""
        self.process.stdin.close()
        self.reader.join(DEADLINE)
        code, said = self.process.wait(DEADLINE), self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, said

    def stop(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.end()


def offset_of(text, position, encoding="utf-16"):
    """Returns the index of a character of the text, from a position."""
    line = text.split("\n")[position["line"]]
    units, at = 0, 0
    while units < position["character"]:
        units += len(line[at].encode("utf-16-le")) // 2 if encoding == "utf-16" else len(line[at].encode())
        at += 1
    assert units == position["character"], "a position within a character"
    return sum(len(part) + 1 for part in text.split("\n")[:position["line"]]) + at


def apply(text, edits, encoding="utf-16"):
    """The text after TextEdits."""
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]),
                       reverse=True):
        start, end = (offset_of(text, edit["range"][side], encoding) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text
