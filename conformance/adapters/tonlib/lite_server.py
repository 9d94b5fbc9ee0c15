"""A lite server on loopback: the server's side of ADNL over TCP. It answers what it was given, and judges nothing."""
import asyncio
import hashlib
import os
import threading

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

PRIME = 2**255 - 19
QUERY, ANSWER = bytes.fromhex("7af98bb4"), bytes.fromhex("1684ac0f")  # adnl.message.query, adnl.message.answer
PING, PONG = bytes.fromhex("9a2b084d"), bytes.fromhex("03fb69dc")  # tcp.ping, tcp.pong
LITE_QUERY = bytes.fromhex("df068c79")  # liteServer.query
WAIT = bytes.fromhex("92b8eaba")  # liteServer.waitMasterchainSeqno, which stands before a question


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def tl_bytes(data):
    head = bytes([len(data)]) if len(data) < 254 else b"\xfe" + len(data).to_bytes(3, "little")
    return head + data + bytes(-(len(head) + len(data)) % 4)


def read_tl_bytes(data):
    if data[0] < 254:
        return data[1 : 1 + data[0]]
    return data[4 : 4 + int.from_bytes(data[1:4], "little")]


def lite_error(text):
    return bytes.fromhex("48e1a9bb") + (651).to_bytes(4, "little") + tl_bytes(text.encode())


def stream(key, nonce):
    return Cipher(algorithms.AES(key), modes.CTR(nonce)).encryptor()


def montgomery(public_key):
    """The X25519 form of an Ed25519 public key."""
    y = int.from_bytes(public_key, "little") % 2**255
    return ((1 + y) * pow(1 - y, -1, PRIME) % PRIME).to_bytes(32, "little")


class LiteServer:
    """@param answer gets a question without its wrapping, and gives the answer"""

    def __init__(self, answer):
        self.answer, self.seed = answer, os.urandom(32)
        self.public_key = Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()
        self.key_id = sha256(bytes.fromhex("c6b41348"), self.public_key)
        started = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._run(started)), daemon=True).start()
        started.wait()

    async def _run(self, started):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await server.serve_forever()

    async def _serve(self, reader, writer):
        try:
            await self._talk(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _talk(self, reader, writer):
        hello = await reader.readexactly(256)
        if hello[:32] != self.key_id:
            return
        client_key, digest = hello[32:64], hello[64:96]
        own = X25519PrivateKey.from_private_bytes(hashlib.sha512(self.seed).digest()[:32])
        secret = own.exchange(X25519PublicKey.from_public_bytes(montgomery(client_key)))
        keys = stream(secret[:16] + digest[16:32], digest[:4] + secret[20:32]).update(hello[96:256])
        out, into = stream(keys[:32], keys[64:80]), stream(keys[32:64], keys[80:96])

        def send(payload):
            nonce = os.urandom(32)
            frame = (len(payload) + 64).to_bytes(4, "little") + nonce + payload + sha256(nonce, payload)
            writer.write(out.update(frame))

        send(b"")
        while True:
            size = int.from_bytes(into.update(await reader.readexactly(4)), "little")
            payload = into.update(await reader.readexactly(size))[32:-32]
            if payload[:4] == PING:
                send(PONG + payload[4:12])
            elif payload[:4] == QUERY:
                question = read_tl_bytes(read_tl_bytes(payload[36:])[4:])
                if question[:4] == WAIT:
                    question = question[12:]
                send(ANSWER + payload[4:36] + tl_bytes(self.answer(question)))
