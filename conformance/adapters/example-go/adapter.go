// An example of an adapter, and of a verifier of block signatures, with the standard library alone.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"strconv"
)

type block struct {
	Workchain int32  `json:"workchain"`
	Shard     string `json:"shard"`
	Seqno     uint32 `json:"seqno"`
	RootHash  string `json:"rootHash"`
	FileHash  string `json:"fileHash"`
}

type entry struct{ node, signature []byte }

type simplex struct {
	session, candidate []byte
	slot               uint32
}

func fromHex(text string) []byte {
	data, err := hex.DecodeString(text)
	if err != nil {
		panic(err) // the suite has no such hash
	}
	return data
}

// strict reads JSON into maps, lists, strings and json.Number, and refuses a key that stands twice.
func strict(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			if _, twice := object[key.(string)]; twice {
				return nil, errors.New("a key stands twice")
			}
			if object[key.(string)], err = strict(d); err != nil {
				return nil, err
			}
		}
		_, err = d.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := strict(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

func field(value any, length int) ([]byte, error) {
	text, ok := value.(string)
	if !ok {
		return nil, errors.New("expected text")
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil && length >= 0 && len(data) != length {
		err = fmt.Errorf("expected %d bytes, got %d", length, len(data))
	}
	return data, err
}

// whole reads a number that servers print as int32 or uint32.
func whole(value any) (uint32, error) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, errors.New("expected a number")
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if err == nil && (n < -1<<31 || n >= 1<<32) {
		err = errors.New("a number that does not fit")
	}
	return uint32(n), err
}

func fromJSON(text string, want block) ([]entry, *simplex, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	value, err := strict(d)
	if err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("something behind the text")
	}
	answer, _ := value.(map[string]any)
	id, _ := answer["id"].(map[string]any)
	root, err1 := field(id["root_hash"], 32)
	file, err2 := field(id["file_hash"], 32)
	seqno, err3 := whole(id["seqno"])
	workchain, err4 := whole(id["workchain"])
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, nil, err
	}
	found := block{int32(workchain), fmt.Sprint(id["shard"]), seqno, hex.EncodeToString(root), hex.EncodeToString(file)}
	if found != want {
		return nil, nil, errors.New("the answer is about another block")
	}
	list, ok := answer["signatures"].([]any)
	if !ok {
		return nil, nil, errors.New("expected a list of signatures")
	}
	var entries []entry
	for _, item := range list {
		one, _ := item.(map[string]any)
		node, err1 := field(one["node_id_short"], 32)
		signature, err2 := field(one["signature"], 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, nil, err
		}
		entries = append(entries, entry{node, signature})
	}
	switch answer["@type"] {
	case "blocks.blockSignatures":
		return entries, nil, nil
	case "blocks.blockSignatures.simplex":
		session, err1 := field(answer["session_id"], 32)
		slot, err2 := whole(answer["slot"])
		candidate, err3 := field(answer["candidate"], -1)
		return entries, &simplex{session, candidate, slot}, errors.Join(err1, err2, err3)
	}
	return nil, nil, errors.New("an unknown kind of set")
}

// reader reads TL; once it is past the end it stays there.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.short, r.data = true, nil
		return make([]byte, min(n, 64))
	}
	head := r.data[:n]
	r.data = r.data[n:]
	return head
}

func (r *reader) number() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

func (r *reader) bytes() []byte {
	length, head := int(r.take(1)[0]), 1
	if length == 254 {
		b := r.take(3)
		length, head = int(b[0])|int(b[1])<<8|int(b[2])<<16, 4
	} else if length == 255 {
		r.short = true
	}
	data := r.take(length)
	r.take((4 - (head+length)%4) % 4)
	return data
}

func fromTL(data []byte) ([]entry, *simplex, error) {
	r := &reader{data: data}
	kind := hex.EncodeToString(r.take(4))
	if kind != "e6a644f6" && kind != "009824ac" {
		return nil, nil, errors.New("not a signature set")
	}
	r.take(8) // the session's number and the hash of the list: a header, which is not here, vouches for them
	var entries []entry
	for count := r.number(); count > 0 && !r.short; count-- {
		node, signature := r.take(32), r.bytes()
		if len(signature) != 64 {
			return nil, nil, errors.New("a signature of another length")
		}
		entries = append(entries, entry{node, signature})
	}
	var more *simplex
	if kind == "009824ac" {
		session, slot := r.take(32), r.number()
		more = &simplex{session, r.bytes(), slot}
	}
	if r.short || len(r.data) > 0 {
		return nil, nil, errors.New("cut short, or something behind the set")
	}
	return entries, more, nil
}

func le32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func (b block) bytes() []byte {
	shard, err := strconv.ParseInt(b.Shard, 10, 64)
	if err != nil {
		panic(err) // the suite has no such shard
	}
	head := binary.LittleEndian.AppendUint64(le32(uint32(b.Workchain)), uint64(shard))
	return bytes.Join([][]byte{head, le32(b.Seqno), fromHex(b.RootHash), fromHex(b.FileHash)}, nil)
}

// fits tells whether a candidate is of a known form and of this block.
func fits(candidate []byte, b block) bool {
	if len(candidate) < 120 || !bytes.Equal(candidate[4:84], b.bytes()) {
		return false
	}
	kind, parent := hex.EncodeToString(candidate[:4]), hex.EncodeToString(candidate[116:120])
	if kind == "33d9b472" {
		return len(candidate) == 120
	}
	isLong := len(candidate) == 160 && parent == "f19a4b1a" && hex.EncodeToString(candidate[120:124]) == "3fcd91b6"
	return kind == "dcbcf9e8" && (isLong || len(candidate) == 120 && parent == "a9cccb22")
}

func signatures(raw json.RawMessage) (any, error) {
	var in struct {
		JSON       *string `json:"json"`
		TL         []byte  `json:"tl"`
		Block      block   `json:"block"`
		Validators []struct {
			PublicKey []byte `json:"publicKey"`
			Weight    string `json:"weight"`
		} `json:"validators"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		panic(err) // not the implementation's to judge
	}
	var entries []entry
	var more *simplex
	var err error
	if in.JSON != nil {
		entries, more, err = fromJSON(*in.JSON, in.Block)
	} else {
		entries, more, err = fromTL(in.TL)
	}
	if err != nil {
		return nil, err
	}
	message := bytes.Join([][]byte{fromHex("706e0bc5"), fromHex(in.Block.RootHash), fromHex(in.Block.FileHash)}, nil)
	if more != nil {
		if !fits(more.candidate, in.Block) {
			return nil, errors.New("a candidate of another form or block")
		}
		hash := sha256.Sum256(more.candidate)
		vote := bytes.Join([][]byte{fromHex("05e1a7403fcd91b6"), le32(more.slot), hash[:]}, nil)
		message = bytes.Join([][]byte{fromHex("f83de3a8"), more.session, {byte(len(vote))}, vote, {0, 0, 0}}, nil)
	}
	type member struct {
		key    ed25519.PublicKey
		weight *big.Int
	}
	set, total := map[[32]byte]member{}, new(big.Int)
	for _, v := range in.Validators {
		weight, ok := new(big.Int).SetString(v.Weight, 10)
		id := sha256.Sum256(append(fromHex("c6b41348"), v.PublicKey...))
		if _, twice := set[id]; twice || !ok || weight.Sign() <= 0 {
			return nil, errors.New("not a set of validators")
		}
		set[id] = member{v.PublicKey, weight}
		total.Add(total, weight)
	}
	if len(set) == 0 || total.Cmp(new(big.Int).Lsh(big.NewInt(1), 61)) > 0 {
		return nil, errors.New("not a set of validators")
	}
	signed := new(big.Int)
	for _, e := range entries {
		id := [32]byte(e.node)
		one, known := set[id]
		if !known {
			return nil, errors.New("a signer who is unknown or stands twice")
		}
		delete(set, id)
		if !ed25519.Verify(one.key, message, e.signature) {
			return nil, errors.New("a bad signature")
		}
		signed.Add(signed, one.weight)
	}
	if new(big.Int).Mul(signed, big.NewInt(3)).Cmp(new(big.Int).Mul(total, big.NewInt(2))) <= 0 {
		return nil, errors.New("not more than two thirds")
	}
	return map[string]string{"signedWeight": signed.String(), "totalWeight": total.String()}, nil
}

func verify(raw json.RawMessage) (any, error) {
	var in struct {
		PublicKey []byte `json:"publicKey"`
		Message   []byte `json:"message"`
		Signature []byte `json:"signature"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		panic(err) // not the implementation's to judge
	}
	if len(in.PublicKey) != ed25519.PublicKeySize || !ed25519.Verify(in.PublicKey, in.Message, in.Signature) {
		return nil, errors.New("invalid")
	}
	return nil, nil
}

func main() {
	operations := map[string]func(json.RawMessage) (any, error){"ed25519": verify, "signatures": signatures}
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"implementation": "example-go", "version": "1.0.0", "language": "Go", "operations": []string{"ed25519", "signatures"}})
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var question struct {
			ID        string          `json:"id"`
			Operation string          `json:"operation"`
			Input     json.RawMessage `json:"input"`
		}
		if err := json.Unmarshal(line, &question); err != nil {
			panic(err)
		}
		value, err := operations[question.Operation](question.Input)
		answer := map[string]any{"id": question.ID, "result": "accept"}
		if err != nil {
			answer["result"], answer["detail"] = "reject", err.Error()
		} else if value != nil {
			answer["value"] = value
		}
		out.Encode(answer)
	}
}
