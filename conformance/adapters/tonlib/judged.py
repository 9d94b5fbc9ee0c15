"""
The operations. A fresh tonlib, the C++ client of the TON node, asks a lite server on loopback, which gives the answers of the case.
What is judged: LastBlock::process_block_proof with block::BlockProofChain::validate (proof-chain), block::AccountState::validate (account), GetShardBlockProof
and blocks.getShards (shard-link), blocks.getBlockHeader (block-header), getConfigParam (config-param).
"""
import base64
import ctypes
import json
from time import monotonic

from pytonlib.tonlibjson import get_tonlib_path
from pytoniq_core import Cell

from lite_server import LiteServer, lite_error, read_tl_bytes, tl_bytes

SECONDS = 4


def library():
    lib = ctypes.CDLL(get_tonlib_path())
    types = {
        "create": (ctypes.c_void_p, []),
        "send": (None, [ctypes.c_void_p, ctypes.c_char_p]),
        "receive": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_double]),
        "destroy": (None, [ctypes.c_void_p]),
    }
    for name, (result, arguments) in types.items():
        function = getattr(lib, f"tonlib_client_json_{name}")
        function.restype, function.argtypes = result, arguments
    lib.tonlib_client_set_verbosity_level.argtypes = [ctypes.c_int]
    lib.tonlib_client_set_verbosity_level(0)
    return lib


LIB = library()


class Refused(Exception):
    """tonlib answered with an error."""


class Unsupported(Exception):
    pass


class Silent(Exception):
    """tonlib said nothing in its time."""


def ask(config, request):
    """A fresh tonlib, one request. @raises Refused with tonlib's words"""
    client = LIB.tonlib_client_json_create()
    try:
        deadline = monotonic() + SECONDS

        def call(body):
            LIB.tonlib_client_json_send(client, json.dumps({**body, "@extra": body["@type"]}).encode())
            while monotonic() < deadline:
                got = LIB.tonlib_client_json_receive(client, 0.2)
                answer = json.loads(got) if got else {}
                if answer.get("@extra") == body["@type"]:
                    if answer["@type"] == "error":
                        raise Refused(answer["message"])
                    return answer
            raise Silent

        options = {"config": {"config": json.dumps(config), "blockchain_name": "", "use_callbacks_for_network": False, "ignore_cache": True}}
        call({"@type": "init", "options": {**options, "keystore_type": {"@type": "keyStoreTypeInMemory"}}})
        return call(request)
    finally:
        LIB.tonlib_client_json_destroy(client)


def b64(hex_text):
    return base64.b64encode(bytes.fromhex(hex_text)).decode()


def tonlib_id(block):
    hashes = {"root_hash": b64(block["rootHash"]), "file_hash": b64(block["fileHash"])}
    return {"@type": "ton.blockIdExt", **{name: block[name] for name in ("workchain", "shard", "seqno")}, **hashes}


def block_of(given):
    hashes = {name: base64.b64decode(given[of]).hex() for name, of in (("rootHash", "root_hash"), ("fileHash", "file_hash"))}
    return {"workchain": given["workchain"], "shard": given["shard"], "seqno": given["seqno"], **hashes}


def tl_id(block):
    numbers = block["workchain"].to_bytes(4, "little", signed=True) + int(block["shard"]).to_bytes(8, "little", signed=True)
    return numbers + block["seqno"].to_bytes(4, "little") + bytes.fromhex(block["rootHash"] + block["fileHash"])


def no_step(block):
    """liteServer.partialBlockProof, complete, from a block to itself: nothing newer is known."""
    return bytes.fromhex("c1d2d08e") + bytes.fromhex("b5757299") + tl_id(block) + tl_id(block) + bytes(4)


# As they stand in bytes: liteServer.getMasterchainInfo and getBlockProof, and the answers allShardsInfo and configInfo.
MASTERCHAIN_INFO, BLOCK_PROOF, ALL_SHARDS, CONFIG_INFO = (
    bytes.fromhex(one) for one in ("2ee6b589", "449cea8a", "2de78f09", "2f277bae")
)


def config_of(zero, answer):
    """`zero` is what tonlib trusts from the start: it is named as the zerostate, whatever its number is."""
    state_id = lambda: zero["workchain"].to_bytes(4, "little", signed=True) + bytes.fromhex(zero["rootHash"] + zero["fileHash"])

    def all_answers(question):
        if question[:4] == MASTERCHAIN_INFO:
            return bytes.fromhex("81288385") + tl_id(zero) + bytes(32) + state_id()
        return answer(question)

    lite_server = LiteServer(all_answers)
    key = {"@type": "pub.ed25519", "key": base64.b64encode(lite_server.public_key).decode()}
    server = {"@type": "liteserver.desc", "ip": 0x7F000001, "port": lite_server.port, "id": key}
    shown = {name: value for name, value in tonlib_id(zero).items() if name != "@type"}
    validator = {"@type": "validator.config.global", "zero_state": {**shown, "shard": int(zero["shard"])}}
    return {"@type": "config.global", "liteservers": [server], "validator": validator}


def proof_chain(given):
    """sync, from a trusted block to whatever the server proves; then, where the case has a target, whether that is where it ended."""
    answers = [base64.b64decode(one) for one in given["answers"]]
    answers.reverse()
    reached = block_of(ask(config_of(given["from"], lambda _: answers.pop() if answers else lite_error("no more answers")), {"@type": "sync"}))
    if given.get("to") not in (None, reached):
        raise Refused(f"its sync ended at block {reached['seqno']}, not at the target")
    return {"block": reached}


def at(block, request):
    """A request about a block that is trusted: no sync comes before it."""
    return {"@type": "withBlock", "id": tonlib_id(block), "function": request}


def account(given):
    """raw.getAccountState. The hash of the state is that of the answer, which tonlib has compared."""
    answer = base64.b64decode(given["answer"])
    request = {"@type": "raw.getAccountState", "account_address": {"account_address": given["account"]}}
    got = ask(config_of(given["block"], lambda _: answer), at(given["block"], request))
    at_state = 4 + 80 + 80
    for _ in range(2):  # shard_proof, proof
        at_state += len(tl_bytes(read_tl_bytes(answer[at_state:])))
    state = read_tl_bytes(answer[at_state:])
    if not state:
        return {"exists": False}
    return {"exists": True, "stateHash": Cell.one_from_boc(state).hash.hex(), "lastLt": got["last_transaction_id"]["lt"]}


def shard_link(given):
    """blocks.getShardBlockProof, or blocks.getShards. That the masterchain block is final is known: a proof from it to itself has no steps."""
    answer, master, wanted = base64.b64decode(given["answer"]), given["masterchain"], given["requested"]

    def serve(question):
        return no_step(master) if question[:4] == BLOCK_PROOF else answer

    if answer[:4] != ALL_SHARDS:
        ask(config_of(master, serve), {"@type": "blocks.getShardBlockProof", "id": tonlib_id(wanted), "mode": 1, "from": tonlib_id(master)})
        return {"block": wanted}
    got = ask(config_of(master, serve), {"@type": "blocks.getShards", "id": tonlib_id(master)})
    for shard in map(block_of, got["shards"]):
        if (shard["workchain"], shard["shard"]) == (wanted["workchain"], wanted["shard"]):
            return {"block": shard}
    raise Refused("the shard is not in the list")


def block_header(given):
    """blocks.getBlockHeader. The answer is the header of the block that was asked for; its proof is the case."""
    answer = bytes.fromhex("19822d75") + tl_id(given["block"]) + bytes(4) + tl_bytes(base64.b64decode(given["proof"]))
    got = ask(config_of(given["block"], lambda _: answer), {"@type": "blocks.getBlockHeader", "id": tonlib_id(given["block"])})
    return {
        "seqno": got["id"]["seqno"],
        "genUtime": int(got["gen_utime"]),
        "previous": [block_of(one) for one in got["prev_blocks"]],
        "validatorListHash": int(got["validator_list_hash_short"]) & 0xFFFFFFFF,
        "catchainSeqno": int(got["catchain_seqno"]),
        "keyBlock": got["is_key_block"],
    }


def config_param(given):
    """getConfigParam. It asks for a proof by the state, and knows none by a key block."""
    answer = base64.b64decode(given["answer"])
    if answer[:4] == CONFIG_INFO and answer[5] & 0x80 and answer[88:92] == bytes(4):
        raise Unsupported("it asks for no proof by a key block")
    request = {"@type": "getConfigParam", "mode": 0, "param": given["number"]}
    got = ask(config_of(given["block"], lambda _: answer), at(given["block"], request))
    value = base64.b64decode(got["config"]["bytes"])
    return {"found": True, "hash": Cell.one_from_boc(value).hash.hex()} if value else {"found": False}


OPERATIONS = {
    "proof-chain": proof_chain,
    "account": account,
    "shard-link": shard_link,
    "block-header": block_header,
    "config-param": config_param,
}
