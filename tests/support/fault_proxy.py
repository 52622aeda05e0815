"""A server between the gate and the paper brokerage that keeps connections alive and, for chosen orders, misbehaves.

It counts the POSTs it read.  behaviours says by clientOrderId what becomes of one: a list, a behaviour for each POST of
the id, the last one for all after it; ids that are not named pass.  gets answers GETs whose path ends so (with an
Event: asked for and answered once it is set; with (Event,): asked for at once, answered once it is set).  dates are the
Dates of answers, the last one of all after it.  frames is a function that changes what the client says on its stream,
length kept; hello False swallows the server's greeting.  A behaviour is (reaches, how): whether the brokerage gets the
POST, and how its answer ends: "answer", "close", "reset", "unread" (closed before the body was read), "hang", "cut"
(half an answer), an Event (answered once it is set; with a 429 when it did not reach), or bytes, sent as they are. """
import http.client
import json
import select
import socket
import struct
import threading

PASS = (True, "answer")


def answer(status, body=b"", headers=()):
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def masked(data, change):
    """One short frame of a client, changed under its mask."""
    at = 4 if data[1] & 127 == 126 else 2
    mask, text = data[at:at + 4], data[at + 4:]
    text = change(bytes(c ^ mask[i % 4] for i, c in enumerate(text)))
    return data[:at + 4] + bytes(c ^ mask[i % 4] for i, c in enumerate(text))


class FaultProxy:
    def __init__(self, paper, behaviours=None, streams=True, gets=None, change_frame=None, greeting=True, dates=()):
        self.port, self.behaviours, self.streams, self.gets = paper.port, behaviours or {}, streams, gets or {}
        self.dates = list(dates)
        # deaf: what the server says on streams is lost
        self.change_frame, self.greeting, self.drop_frames = change_frame, greeting, False
        self.forward_frames = threading.Event()  # while it is not set, what the server says on streams waits
        self.forward_frames.set()
        self.posts, self.bodies, self.paths, self.busy = {}, {}, [], 0
        self.connection_of = {}  # by clientOrderId, the number of the connection that brought its POST
        self.resets = []  # of those that hang: the client dropped the connection with all that was on its way
        self.changed = threading.Condition()
        self.stopped, self.sockets, self.threads = False, [], []
        self.client_streams = []  # the ends of streams that a client holds
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self._start_thread(self._accept)

    def _start_thread(self, what, *args):
        thread = threading.Thread(target=what, args=args, daemon=True)
        self.threads.append(thread)
        thread.start()
        return thread

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        for thread in self.threads:
            thread.join()

    def stop(self):
        """Listen no more, and end every connection."""
        if self.stopped:
            return
        self.stopped = True
        self.forward_frames.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.close_all()

    def wait_post(self, order_id, count=1):
        """Until so many POSTs of the id were read."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.posts.get(order_id, 0) >= count, 60):
                raise AssertionError(f"no POST of {order_id}: {self.posts}, {self.paths[-10:]}")

    def wait_path(self, end, count=1):
        """Until so many requests whose paths end so were read."""
        with self.changed:
            if not self.changed.wait_for(lambda: sum(path.endswith(end) for _, path in self.paths) >= count, 60):
                raise AssertionError(f"no request of {end}: {self.paths[-10:]}")

    def wait_idle(self):
        """Until all that was asked is answered; of use while the gate stands still and asks no more."""
        with self.changed:
            while not self._is_idle():
                self.changed.wait(0.002)

    def _is_idle(self):
        try:
            return not self.busy and not select.select([self.listener, *(s for s in self.sockets if s.fileno() >= 0)],
                                                       [], [], 0)[0]
        except (OSError, ValueError):
            return False  # one was closed just now

    def close_all(self):
        """End every connection; what was said on it arrives before that."""
        for s in self.sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self):
        while not self.stopped:
            try:
                s, _ = self.listener.accept()
            except OSError:
                return
            self.sockets.append(s)
            self._start_thread(self._serve, s)

    def _serve(self, s):
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        service = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            while s.recv(1, socket.MSG_PEEK):
                self._count_busy(1)
                try:
                    if not self._handle_request(s, service):
                        break
                finally:
                    self._count_busy(-1)
        except (OSError, http.client.HTTPException):
            pass
        service.close()
        s.close()

    def _count_busy(self, more):
        with self.changed:
            self.busy += more

    def _read_head(self, s):
        """The request's head, and only that: what follows is left unread."""
        least = 1
        while True:
            s.recv(least, socket.MSG_PEEK | socket.MSG_WAITALL)
            seen = s.recv(65536, socket.MSG_PEEK)
            end = seen.find(b"\r\n\r\n")
            if end >= 0:
                return s.recv(end + 4).decode()
            if len(seen) < least:
                return None  # the client died
            least = len(seen) + 1

    def _handle_request(self, s, service):
        head = self._read_head(s)
        if head is None:
            return False
        lines = head.split("\r\n")
        method, path, _ = lines[0].split(" ")
        headers = {n.lower(): v.strip() for n, v in (line.split(":", 1) for line in lines[1:] if line)}
        with self.changed:
            self.paths.append((method, path))
            self.changed.notify_all()
        if "upgrade" in headers:
            self._count_busy(-1)
            try:
                return self._stream(s, head)
            finally:
                self._count_busy(1)
        if method == "POST":
            return self._post(s, service, path, headers)
        for part, reply in self.gets.items():
            if path.endswith(part):
                if isinstance(reply, threading.Event):
                    reply.wait(60)
                    break
                if isinstance(reply, tuple):
                    told = self._forward(service, method, path, None, headers)
                    reply[0].wait(60)
                    s.sendall(told)
                    return True
                s.sendall(reply)
                return True
        s.sendall(self._forward(service, method, path, None, headers))
        return True

    def _forward(self, service, method, path, body, headers):
        service.request(method, path, body=body, headers={k: v for k, v in headers.items() if k != "host"})
        reply = service.getresponse()
        content = reply.read()
        kept = [f"{k}: {v}" for k, v in reply.getheaders() if k.lower() not in ("content-length", "connection",
                                                                                "transfer-encoding")]
        if self.dates:
            date = self.dates.pop(0) if len(self.dates) > 1 else self.dates[0]
            kept = [h for h in kept if not h.lower().startswith("date:")] + [f"Date: {date}"]
        return answer(reply.status, content, kept)

    def _behaviour(self, order_id, count):
        behaviours = self.behaviours.get(order_id, PASS)
        return behaviours[min(count, len(behaviours)) - 1] if isinstance(behaviours, list) else behaviours

    def _post(self, s, service, path, headers):
        length, body = int(headers["content-length"]), b""
        if "unread" in [self._behaviour(k, 1)[1] for k in self.behaviours]:
            peeked = s.recv(length, socket.MSG_PEEK | socket.MSG_WAITALL)
            order_id = json.loads(peeked)["clientOrderId"]
            if self._behaviour(order_id, 1)[1] == "unread":
                s.close()  # bytes that wait unread make this a reset
                self._record_post(order_id, peeked)
                return False
        while len(body) < length:
            self._count_busy(-1)  # the client may stand still within its request
            s.recv(1, socket.MSG_PEEK)
            self._count_busy(1)
            more = s.recv(length - len(body))
            if not more:
                return False  # the client died within its request
            body += more
        order_id = json.loads(body)["clientOrderId"]
        count = self._record_post(order_id, body)
        self.connection_of[order_id] = self.sockets.index(s)
        reaches, how = self._behaviour(order_id, count)
        reply = self._forward(service, "POST", path, body, headers) if reaches else b""
        if isinstance(how, threading.Event):
            how.wait(60)
            how = "answer"
            reply = reply or answer(429)
        if how == "answer":
            s.sendall(reply)
        elif isinstance(how, bytes):
            s.sendall(how)
        elif how == "cut":
            reply = reply or answer(200, b'{"clientOrderId":"x","orderStatus":"New"}')
            s.sendall(reply[:-10])
            s.close()
        elif how == "reset":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            s.close()
        elif how == "hang":
            self._hang(s, order_id)
        return how == "answer" or isinstance(how, bytes)

    def _hang(self, s, order_id):
        try:
            s.recv(1)
        except ConnectionResetError:
            self.resets.append(order_id)

    def _record_post(self, order_id, body):
        with self.changed:
            self.posts[order_id] = self.posts.get(order_id, 0) + 1
            self.bodies.setdefault(order_id, []).append(body)
            self.changed.notify_all()
            return self.posts[order_id]

    def _stream(self, s, head):
        if not self.streams:
            s.sendall(answer(404))
            return False
        self.client_streams.append(s)
        other = socket.create_connection(("127.0.0.1", self.port))
        self.sockets.append(other)
        other.sendall(head.encode())
        if not self.greeting:
            seen = b""
            while b"PENDING_AUTH" not in seen:
                seen += other.recv(65536)
            s.sendall(seen[:seen.index(b"\r\n\r\n") + 4])
        back = self._start_thread(self._pump, other, s, None, True)
        self._pump(s, other, self.change_frame)
        back.join()
        other.close()
        return False

    def send_frame(self, message):
        """A frame that the brokerage did not send, to every client."""
        data = json.dumps(message).encode()
        size = struct.pack("!BB", 0x81, len(data)) if len(data) < 126 else struct.pack("!BBH", 0x81, 126, len(data))
        for s in self.client_streams:
            try:
                s.sendall(size + data)
            except OSError:
                pass  # a stream that ended

    def _pump(self, a, b, change=None, down=False):
        try:
            while data := a.recv(65536):
                if down:
                    self.forward_frames.wait()
                if not (self.drop_frames and down):
                    b.sendall(masked(data, change) if change else data)
        except OSError:
            pass
        try:
            b.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
