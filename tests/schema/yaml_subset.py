"""Reads YAML as our policies are written, with the standard library alone: block maps and lists, flow collections
on one or more lines, plain and quoted scalars, comments. Scalars have the types of YAML's core schema. Anything
else is an error."""
import json
import re
from decimal import Decimal


def scalar(text):
    if text[:1] == '"':
        return json.loads(text)
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text in ("~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"[-+]?[0-9]+\.[0-9]+", text):
        return Decimal(text)
    return text


TOKEN = re.compile(
    r"""\s*(?:(?P<mark>[\[\]{},]|:(?=[\s\[\]{},]|$))|(?P<quoted>"(?:\\.|[^"\\])*"|'(?:''|[^'])*')|"""
    r"""(?P<plain>[^\s\[\]{},:#][^\[\]{},:#]*(?:[:#](?![\s\]},])[^\[\]{},:#]*)*))""")


def flow(text):
    """Parse a flow collection and return its value."""
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise ValueError(text[at:at + 40])
        tokens.append((m.lastgroup, m[m.lastgroup].strip()))
        at = m.end()
        at += len(text[at:]) - len(text[at:].lstrip())
    place = [0]

    def take():
        kind, word = tokens[place[0]]
        place[0] += 1
        if (kind, word) == ("mark", "["):
            items = []
            while tokens[place[0]] != ("mark", "]"):
                items.append(take())
                if tokens[place[0]] == ("mark", ","):
                    place[0] += 1
            place[0] += 1
            return items
        if (kind, word) == ("mark", "{"):
            items = {}
            while tokens[place[0]] != ("mark", "}"):
                key = take()
                assert tokens[place[0]] == ("mark", ":"), text
                place[0] += 1
                items[key] = take()
                if tokens[place[0]] == ("mark", ","):
                    place[0] += 1
            place[0] += 1
            return items
        assert kind != "mark", text
        return scalar(word)

    value = take()
    assert place[0] == len(tokens), text
    return value


def uncomment(line):
    quote = None
    for i, c in enumerate(line):
        if quote:
            quote = None if c == quote and line[i - 1] != "\\" else quote
        elif c in "\"'" and (i == 0 or line[i - 1] in " [{,:("):
            quote = c
        elif c == "#" and (i == 0 or line[i - 1] in " \t"):
            return line[:i].rstrip()
    return line.rstrip()


KEY = re.compile(r"""("(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_.-]+):(?:\s+(.*))?$""")


class Reader:
    def __init__(self, text):
        self.lines = [(len(s) - len(s.lstrip()), s.strip()) for s in map(uncomment, text.split("\n")) if s.strip()]
        self.at = 0

    def whole(self, text, indent):
        """Parse a value that begins on this line and return it. Flow collections, quoted scalars and plain scalars
        may continue on the next lines."""
        def open_(t):
            bare = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\'\'|[^\'])*\'', "", t)
            return sum(bare.count(c) for c in "[{") > sum(bare.count(c) for c in "]}") or bare[:1] in "\"'" and bare
        if text[:1] == "|" or text[:1] == ">":
            words = []
            while self.at < len(self.lines) and self.lines[self.at][0] > indent:
                words.append(self.lines[self.at][1])
                self.at += 1
            return (" " if text[:1] == ">" else "\n").join(words)
        while self.at < len(self.lines) and (open_(text)
                                             or (self.lines[self.at][0] > indent and text[:1] not in "[{\"'")):
            text += " " + self.lines[self.at][1]
            self.at += 1
        return flow(text) if text[:1] in "[{" else scalar(text)

    def value(self, indent, rest):
        if rest:
            return self.whole(rest, indent)
        if self.at < len(self.lines) and (self.lines[self.at][0] > indent or
                                          self.lines[self.at][0] == indent and self.lines[self.at][1][:2] == "- "):
            return self.block(self.lines[self.at][0])
        return None

    def block(self, indent):
        return self.list(indent) if self.lines[self.at][1][:2] == "- " else self.map(indent)

    def list(self, indent):
        items = []
        while self.at < len(self.lines) and self.lines[self.at][0] == indent and self.lines[self.at][1][:2] == "- ":
            rest = self.lines[self.at][1][2:].lstrip()
            if KEY.match(rest) and rest[:1] not in "[{":
                inner = indent + len(self.lines[self.at][1]) - len(rest)
                self.lines[self.at] = (inner, rest)
                items.append(self.map(inner))
            else:
                self.at += 1
                items.append(self.whole(rest, indent))
        return items

    def map(self, indent):
        items = {}
        while self.at < len(self.lines) and self.lines[self.at][0] == indent and self.lines[self.at][1][:2] != "- ":
            m = KEY.match(self.lines[self.at][1])
            if not m:
                raise ValueError(self.lines[self.at][1])
            self.at += 1
            items[scalar(m[1])] = self.value(indent, m[2])
        return items


def read(text):
    reader = Reader(text)
    value = reader.block(0)
    if reader.at != len(reader.lines):
        raise ValueError(reader.lines[reader.at])
    return value
