// tonutils-go before the suite. What is judged are methods of ton.APIClient with proof checks on; the lite server behind it is the case.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

type block struct {
	Workchain int32  `json:"workchain"`
	Shard     string `json:"shard"`
	Seqno     uint32 `json:"seqno"`
	RootHash  string `json:"rootHash"`
	FileHash  string `json:"fileHash"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err) // of the suite, not of the implementation
	}
	return value
}

func (b block) id() *ton.BlockIDExt {
	return &ton.BlockIDExt{
		Workchain: b.Workchain,
		Shard:     must(strconv.ParseInt(b.Shard, 10, 64)),
		SeqNo:     b.Seqno,
		RootHash:  must(hex.DecodeString(b.RootHash)),
		FileHash:  must(hex.DecodeString(b.FileHash)),
	}
}

func jsonOf(id *ton.BlockIDExt) block {
	return block{id.Workchain, strconv.FormatInt(id.Shard, 10), id.SeqNo, hex.EncodeToString(id.RootHash), hex.EncodeToString(id.FileHash)}
}

// server answers each question with the next answer of the case.
type server struct{ answers [][]byte }

func (s *server) QueryLiteserver(_ context.Context, _ tl.Serializable, result tl.Serializable) error {
	if len(s.answers) == 0 {
		return errors.New("no more answers")
	}
	answer := s.answers[0]
	s.answers = s.answers[1:]
	_, err := tl.Parse(result, answer, true)
	return err
}
func (s *server) StickyContext(ctx context.Context) context.Context { return ctx }
func (s *server) StickyContextNextNode(ctx context.Context) (context.Context, error) {
	return ctx, errors.New("no other server")
}
func (s *server) StickyContextNextNodeBalanced(ctx context.Context) (context.Context, error) {
	return ctx, errors.New("no other server")
}
func (s *server) StickyNodeID(context.Context) uint32 { return 0 }

func over(answers ...[]byte) *ton.APIClient {
	return ton.NewAPIClient(&server{answers}, ton.ProofCheckPolicySecure)
}

type input struct {
	Bytes   []byte   `json:"bytes"`
	From    block    `json:"from"`
	To      *block   `json:"to"`
	Answers [][]byte `json:"answers"`
	Block   block    `json:"block"`
	Account string   `json:"account"`
	Lt      string   `json:"lt"`
	Answer  []byte   `json:"answer"`
}

func (in input) address() *address.Address {
	workchain, data, _ := strings.Cut(in.Account, ":")
	return address.NewAddress(0, byte(must(strconv.Atoi(workchain))), must(hex.DecodeString(data)))
}

type object = map[string]any

// cell.FromBOCMultiRoot
func boc(in input) (any, error) {
	roots, err := cell.FromBOCMultiRoot(in.Bytes)
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, root := range roots {
		list = append(list, object{"representationHash": hex.EncodeToString(root.Hash()), "levelZeroHash": hex.EncodeToString(root.Hash(0)), "depth": root.Depth(0)})
	}
	return object{"roots": list}, nil
}

// APIClient.VerifyProofChain. Whoever calls it names the target: where the case does not, it is where the last answer says that it ends.
func proofChain(in input) (any, error) {
	to := in.To
	if to == nil {
		var last ton.PartialBlockProof
		if _, err := tl.Parse(&last, in.Answers[len(in.Answers)-1], true); err != nil {
			return nil, err
		}
		end := jsonOf(last.To)
		to = &end
	}
	if err := over(in.Answers...).VerifyProofChain(context.Background(), in.From.id(), to.id()); err != nil {
		return nil, err
	}
	return object{"block": to}, nil
}

// APIClient.GetAccount. The hash of the state is that of the answer, which GetAccount has compared.
func account(in input) (any, error) {
	found, err := over(in.Answer).GetAccount(context.Background(), in.Block.id(), in.address())
	if err != nil {
		return nil, err
	}
	var answer ton.AccountState
	if _, err := tl.Parse(&answer, in.Answer, true); err != nil || answer.State == nil {
		return object{"exists": false}, err
	}
	return object{"exists": true, "stateHash": hex.EncodeToString(answer.State.Hash()), "lastLt": fmt.Sprint(found.LastTxLT)}, nil
}

// APIClient.GetTransaction. It proves no absence.
func transaction(in input) (any, error) {
	found, err := over(in.Answer).GetTransaction(context.Background(), in.Block.id(), in.address(), must(strconv.ParseUint(in.Lt, 10, 64)))
	if errors.Is(err, ton.ErrNoTransactionsWereFound) {
		return nil, errUnsupported
	}
	if err != nil {
		return nil, err
	}
	return object{"found": true, "hash": hex.EncodeToString(found.Hash)}, nil
}

var errUnsupported = errors.New("it proves no absence")

func main() {
	operations := map[string]func(input) (any, error){"boc": boc, "proof-chain": proofChain, "account": account, "transaction": transaction}
	names := []string{}
	for name := range operations {
		names = append(names, name)
	}
	out := json.NewEncoder(os.Stdout)
	out.Encode(object{"implementation": "tonutils-go", "version": "1.12.0", "language": "Go", "operations": names})
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
		var in input
		if err := errors.Join(json.Unmarshal(line, &question), json.NewDecoder(bytes.NewReader(question.Input)).Decode(&in)); err != nil {
			panic(err)
		}
		value, err := operations[question.Operation](in)
		answer := object{"id": question.ID, "result": "accept", "value": value}
		if err != nil {
			answer = object{"id": question.ID, "result": "reject", "detail": err.Error()}
		}
		if errors.Is(err, errUnsupported) {
			answer["result"] = "unsupported"
		}
		out.Encode(answer)
	}
}
