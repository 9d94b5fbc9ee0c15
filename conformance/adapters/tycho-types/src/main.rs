//! tycho-types before the suite. What is judged: BocHeader::decode with finalize (boc), and ValidatorSet::compute_mc_subset (validator-set).
use std::io::{BufRead, Write};

use base64::{engine::general_purpose::STANDARD, Engine};
use serde_json::{json, Value};
use tycho_types::boc::de::{BocHeader, Options};
use tycho_types::boc::Boc;
use tycho_types::cell::{Cell, CellFamily};
use tycho_types::models::{BlockchainConfigParams, ConfigParam28};

type Answer = Result<Value, Box<dyn std::error::Error>>;

fn bytes(input: &Value, name: &str) -> Vec<u8> {
    STANDARD.decode(input[name].as_str().unwrap()).unwrap() // of the suite, not of the implementation
}

fn boc(input: &Value) -> Answer {
    let data = bytes(input, "bytes");
    let header = BocHeader::decode(&data, &Options::default())?;
    let cells = header.finalize(Cell::empty_context())?;
    let mut roots = Vec::new();
    for index in header.roots() {
        let root = cells.get(*index).ok_or("no such root")?;
        let hashes = [root.repr_hash(), root.hash(0)].map(|hash| hex::encode(hash.as_slice()));
        roots.push(json!({ "representationHash": hashes[0], "levelZeroHash": hashes[1], "depth": root.depth(0) }));
    }
    Ok(json!({ "roots": roots }))
}

fn validator_set(input: &Value) -> Answer {
    let config = BlockchainConfigParams::from_raw(Boc::decode(bytes(input, "configuration"))?);
    let set = config.get_current_validator_set()?;
    // Without parameter 28 the node takes its defaults, which do not shuffle.
    let shuffle = config.get::<ConfigParam28>()?.is_some_and(|one| one.shuffle_mc_validators);
    let seqno = input["catchainSeqno"].as_u64().unwrap() as u32;
    let (chosen, hash) = set.compute_mc_subset(seqno, shuffle).ok_or("no subset")?;
    let total: u128 = chosen.iter().map(|one| one.weight as u128).sum();
    let validators: Vec<Value> = chosen
        .iter()
        .map(|one| json!({ "publicKey": STANDARD.encode(one.public_key.as_slice()), "weight": one.weight.to_string() }))
        .collect();
    Ok(json!({ "validators": validators, "totalWeight": total.to_string(), "listHash": hash }))
}

fn main() {
    let mut out = std::io::stdout();
    let mut say = |value: Value| writeln!(out, "{value}").and_then(|()| out.flush()).unwrap();
    say(json!({ "implementation": "tycho-types", "version": "0.3.6", "language": "Rust", "operations": ["boc", "validator-set"] }));
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match question["operation"].as_str().unwrap() {
            "boc" => boc(&question["input"]),
            _ => validator_set(&question["input"]),
        };
        say(match answer {
            Ok(value) => json!({ "id": question["id"], "result": "accept", "value": value }),
            Err(why) => json!({ "id": question["id"], "result": "reject", "detail": why.to_string() }),
        });
    }
}
