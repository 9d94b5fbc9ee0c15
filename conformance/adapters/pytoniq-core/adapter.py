"""pytoniq-core before the suite. Each operation names the public function that is judged."""
import base64
import json
import sys

from pytoniq_core import BlockIdExt, Cell
from pytoniq_core.boc.address import Address
from pytoniq_core.proof.check_proof import check_account_proof, check_block_signatures, check_shard_proof
from pytoniq_core.tl.generator import TlGenerator

VERSION = "0.2.1"
SCHEMAS = TlGenerator.with_default_schemas().generate()


def block_of(given):
    hashes = {"root_hash": given["rootHash"], "file_hash": given["fileHash"]}
    return BlockIdExt(workchain=given["workchain"], shard=int(given["shard"]), seqno=given["seqno"], **hashes)


def boc(given):
    """Cell.from_boc"""
    roots = Cell.from_boc(base64.b64decode(given["bytes"]))
    described = [{"representationHash": root.hash.hex(), "levelZeroHash": root.get_hash(0).hex(), "depth": root.get_depth(0)} for root in roots]
    return {"roots": described}


class Key:
    def __init__(self, pubkey):
        self.pubkey = pubkey


class Validator:
    def __init__(self, given):
        self.public_key, self.weight = Key(base64.b64decode(given["publicKey"])), int(given["weight"])


def signatures(given):
    """check_block_signatures, of the list that the package's own TL reader makes of a set. JSON is not its business."""
    if "json" in given:
        raise NotImplementedError
    read, _ = SCHEMAS.deserialize(base64.b64decode(given["tl"]))
    validators = [Validator(one) for one in given["validators"]]
    check_block_signatures(validators, read["signatures"], block_of(given["block"]))
    signers = {one["node_id_short"] for one in read["signatures"]}
    from pytoniq_core.proof.check_proof import calculate_node_id_short

    signed = sum(one.weight for one in validators if calculate_node_id_short(one.public_key.pubkey).hex() in signers)
    return {"signedWeight": str(signed), "totalWeight": str(sum(one.weight for one in validators))}


def account(given):
    """check_shard_proof and check_account_proof, as the client of the same author calls them. Absence is not its business."""
    read, _ = SCHEMAS.deserialize(base64.b64decode(given["answer"]))
    block, shard = block_of(given["block"]), BlockIdExt.from_dict(read["shardblk"])
    if not read["state"]:
        raise NotImplementedError
    root = Cell.one_from_boc(read["state"])
    check_shard_proof(read["shard_proof"], block, shard)
    found = check_account_proof(read["proof"], shard, Address(given["account"]), root, return_account_descr=True)
    return {"exists": True, "stateHash": root.get_hash(0).hex(), "lastLt": str(found.last_trans_lt)}


OPERATIONS = {"boc": boc, "signatures": signatures, "account": account}


def main():
    def say(answer):
        print(json.dumps(answer), flush=True)

    say({"implementation": "pytoniq-core", "version": VERSION, "language": "Python", "operations": list(OPERATIONS)})
    for line in sys.stdin:
        case = json.loads(line)
        try:
            say({"id": case["id"], "result": "accept", "value": OPERATIONS[case["operation"]](case["input"])})
        except NotImplementedError:
            say({"id": case["id"], "result": "unsupported"})
        except Exception as error:  # it refuses by errors of every kind
            say({"id": case["id"], "result": "reject", "detail": f"{type(error).__name__}: {error}"[:400]})


main()
