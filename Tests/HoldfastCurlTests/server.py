#!/usr/bin/env python3
"""A loopback server that answers as its paths say. Prints its port; ends when its standard input does."""

import hashlib
import json
import socket
import ssl
import struct
import sys
import threading
import time

lock = threading.Lock()
counts = {"connections": 0, "waiting": 0, "abandoned": 0, "left": 0}


class Connection:
    def __init__(self, sock, number):
        self.sock, self.number, self.requests = sock, number, 0
        self.file = sock.makefile("rb")

    def serve(self):
        while True:
            line = self.file.readline()
            if not line:
                return
            method, path, _ = line.decode().split(" ")
            headers = []
            while (field := self.file.readline().rstrip(b"\r\n")):
                headers.append([part.strip() for part in field.decode().split(":", 1)])
            length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
            body = self.file.read(length)
            self.requests += 1
            if not self.answer(method, path, headers, body):
                return

    def answer(self, method, path, headers, body):
        """Whether the connection stays open."""
        kind, _, value = path.strip("/").partition("/")
        if kind == "echo":
            told = {"method": method, "path": path, "headers": headers, "length": len(body),
                    "sha256": hashlib.sha256(body).hexdigest(), "connection": self.number, "request": self.requests}
            return self.send(200, json.dumps(told).encode())
        if kind == "status":
            return self.send(int(value), b"said", "X-Test: one\r\nx-test:two  \r\nX-Empty:\r\n")
        if kind == "redirect":
            return self.send(302, b"", "Location: /echo\r\n")
        if kind == "cookie":
            return self.send(200, b"", "Set-Cookie: a=b; Path=/\r\n")
        if kind == "interim":
            self.sock.sendall(b"HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n")
            return self.send(200, b"late", "X-Late: yes\r\n")
        if kind == "folded":
            return self.send(200, b"", "X-Long: one\r\n  two\r\n")
        if kind == "fields":
            return self.send(200, b"", "".join(f"X-{n}: {'v' * 1000}\r\n" for n in range(int(value))))
        if kind == "bytes":
            return self.send(200, b"x" * int(value))
        if kind == "slow":
            time.sleep(int(value) / 1000)
            return self.send(200, b"slow")
        if kind == "never":
            with lock:
                counts["waiting"] += 1
            self.file.read(1)  # returns when the client has gone
            with lock:
                counts["abandoned"] += 1
            return False
        if kind == "endless":
            self.sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                self.sock.sendall(b"y" * 65536)
        if kind == "reset":
            if value == "during":
                self.sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        if kind == "close":
            if value == "during":
                self.sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            return False
        if kind == "last":
            self.send(200, b"", "")  # and closes without having said so
            self.sock.shutdown(socket.SHUT_RDWR)
            with lock:
                counts["left"] += 1
            return False
        if kind == "garbage":
            self.sock.sendall(b"\x16\x03\x01 220 mail.example ESMTP ready\r\n\r\n")
            return False
        if kind == "counts":
            with lock:
                return self.send(200, json.dumps(counts).encode())
        return self.send(404, b"")

    def send(self, status, body, fields=""):
        head = f"HTTP/1.1 {status} Said\r\n{fields}Content-Length: {len(body)}\r\n\r\n"
        self.sock.sendall(head.encode() + (b"" if status in (204, 304) else body))
        return True


def serve(sock, number, context):
    try:
        if context:
            sock = context.wrap_socket(sock, server_side=True)
        Connection(sock, number).serve()
    except (OSError, ValueError):
        pass  # the client left, or did not like the certificate: that is its right
    finally:
        sock.close()


def main():
    context = None
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*sys.argv[1:3])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), listener.shutdown(socket.SHUT_RDWR)), daemon=True).start()
    while True:
        try:
            sock, _ = listener.accept()
        except OSError:
            return
        with lock:
            counts["connections"] += 1
            number = counts["connections"]
        threading.Thread(target=serve, args=(sock, number, context), daemon=True).start()


if __name__ == "__main__":
    main()
