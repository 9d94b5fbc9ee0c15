"""An example of an adapter, and of a verifier of block signatures, with the standard library alone. Slow, and right."""
import base64
import hashlib
import json
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


class Refused(Exception):
    """What the verifier does not take. Anything else that is raised is a crash, and should be."""


# Ed25519 as the node has it: S below L, the key decoded leniently, no cofactor, R compared byte for byte.
def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(n, point):
    result = (0, 1, 1, 0)
    while n > 0:
        if n & 1:
            result = add(result, point)
        point = add(point, point)
        n >>= 1
    return result


def decode(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, (y & (2**255 - 1)) % P
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (v * x * x - u) % P != 0:
        return None
    if x & 1 != sign:
        x = -x % P
    return x, y, 1, x * y % P


def encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def verify(key, message, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    s = int.from_bytes(signature[32:], "little")
    point = decode(key)
    if s >= L or point is None:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    minus = (-point[0] % P, point[1], 1, -point[3] % P)
    return encode(add(multiply(s, BASE), multiply(k, minus))) == signature[:32]


# Signature sets, as JSON and as TL.
def require(condition, words):
    if not condition:
        raise Refused(words)


def no_duplicates(pairs):
    require(len({name for name, _ in pairs}) == len(pairs), "a key stands twice")
    return dict(pairs)


def field(value, length=None):
    require(isinstance(value, str), "expected text")
    try:
        data = base64.b64decode(value, validate=True)
    except ValueError as error:
        raise Refused(str(error)) from error
    require(length is None or len(data) == length, "a field of another length")
    return data


def whole(value, bits=32):
    require(isinstance(value, int) and not isinstance(value, bool), "expected a whole number")
    require(-(2 ** (bits - 1)) <= value < 2**bits, "a number that does not fit")
    return value % 2**bits


def entries(items):
    require(isinstance(items, list) and all(isinstance(one, dict) for one in items), "expected a list of signatures")
    return [(field(one.get("node_id_short"), 32), field(one.get("signature"), 64)) for one in items]


def from_json(text):
    try:
        answer = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=lambda word: require(False, word))
    except ValueError as error:
        raise Refused(str(error)) from error
    require(isinstance(answer, dict) and isinstance(answer.get("id"), dict), "expected an object with an id")
    kind, block = answer.get("@type"), answer["id"]
    require(kind in ("blocks.blockSignatures", "blocks.blockSignatures.simplex"), "an unknown kind of set")
    found = {
        "workchain": block.get("workchain"),
        "shard": block.get("shard"),
        "seqno": whole(block.get("seqno")),
        "rootHash": field(block.get("root_hash"), 32).hex(),
        "fileHash": field(block.get("file_hash"), 32).hex(),
    }
    simplex = None
    if kind.endswith("simplex"):
        simplex = field(answer.get("session_id"), 32), whole(answer.get("slot")), field(answer.get("candidate"))
    return found, entries(answer.get("signatures")), simplex


class Reader:
    def __init__(self, data):
        self.data = data

    def take(self, count):
        require(len(self.data) >= count, "cut short")
        head, self.data = self.data[:count], self.data[count:]
        return head

    def number(self):
        return int.from_bytes(self.take(4), "little")

    def bytes(self):
        length, head = self.take(1)[0], 1
        require(length < 255, "a length that nothing needs")
        if length == 254:
            length, head = int.from_bytes(self.take(3), "little"), 4
        data = self.take(length)
        self.take(-(head + length) % 4)
        return data


def from_tl(data):
    reader = Reader(data)
    kind = reader.take(4).hex()
    require(kind in ("e6a644f6", "009824ac"), "not a signature set")
    reader.take(8)  # the session's number and the hash of the list: a header, which is not here, vouches for them
    found = []
    for _ in range(reader.number()):
        node, signature = reader.take(32), reader.bytes()
        require(len(signature) == 64, "a signature of another length")
        found.append((node, signature))
    simplex = (reader.take(32), reader.number(), reader.bytes()) if kind == "009824ac" else None
    require(reader.data == b"", "something behind the set")
    return found, simplex


def block_bytes(block):
    head = [int(block["workchain"]).to_bytes(4, "little", signed=True), int(block["shard"]).to_bytes(8, "little", signed=True)]
    return b"".join(head) + block["seqno"].to_bytes(4, "little") + bytes.fromhex(block["rootHash"] + block["fileHash"])


def candidate_fits(candidate, block):
    kind, rest = candidate[:4].hex(), candidate[84:]
    require(candidate[4:84] == block_bytes(block), "the candidate is another block")
    if kind == "33d9b472":
        return len(rest) == 36
    parent = rest[32:36].hex()
    with_parent = parent == "f19a4b1a" and rest[36:40].hex() == "3fcd91b6" and len(rest) == 76
    return kind == "dcbcf9e8" and (with_parent or (parent == "a9cccb22" and len(rest) == 36))


def signatures(given):
    block = given["block"]
    if "json" in given:
        found, signed, simplex = from_json(given["json"])
        require(found == block, "the answer is about another block")
    else:
        signed, simplex = from_tl(base64.b64decode(given["tl"]))
    hashes = bytes.fromhex(block["rootHash"] + block["fileHash"])
    if simplex is None:
        message = bytes.fromhex("706e0bc5") + hashes
    else:
        session, slot, candidate = simplex
        require(candidate_fits(candidate, block), "a candidate of another form")
        vote = bytes.fromhex("05e1a7403fcd91b6") + slot.to_bytes(4, "little") + hashlib.sha256(candidate).digest()
        message = bytes.fromhex("f83de3a8") + session + bytes([len(vote)]) + vote + b"\0\0\0"
    keys = [base64.b64decode(one["publicKey"]) for one in given["validators"]]
    weights = [int(one["weight"]) for one in given["validators"]]
    total = sum(weights)
    require(keys and len(set(keys)) == len(keys) and min(weights) > 0 and total <= 2**61, "not a set of validators")
    places = {hashlib.sha256(bytes.fromhex("c6b41348") + key).digest(): n for n, key in enumerate(keys)}
    seen, weight = set(), 0
    for node, signature in signed:
        require(node in places and node not in seen, "a signer who is unknown or stands twice")
        seen.add(node)
        require(verify(keys[places[node]], message, signature), "a bad signature")
        weight += weights[places[node]]
    require(3 * weight > 2 * total, "not more than two thirds")
    return {"signedWeight": str(weight), "totalWeight": str(total)}


def ed25519(given):
    key, message, signature = (base64.b64decode(given[name]) for name in ("publicKey", "message", "signature"))
    require(verify(key, message, signature), "invalid")


OPERATIONS = {"ed25519": ed25519, "signatures": signatures}


def main():
    def say(answer):
        print(json.dumps(answer), flush=True)

    say({"implementation": "example-python", "version": "1.0.0", "language": "Python", "operations": list(OPERATIONS)})
    for line in sys.stdin:
        case = json.loads(line)
        try:
            value = OPERATIONS[case["operation"]](case["input"])
            say({"id": case["id"], "result": "accept", **({} if value is None else {"value": value})})
        except Refused as refused:
            say({"id": case["id"], "result": "reject", "detail": str(refused)})


main()
