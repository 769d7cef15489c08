// Reads the log of a hub with the packages that the Go checksum database is read with. It shares no
// code with the hub: it checks the note, every tile and entry, and proofs between all sizes.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

type reader struct{ base string }

func (r *reader) Height() int { return height }

// The hub names tiles as C2SP does: without the height, and with the entries under their own name.
func (r *reader) path(t tlog.Tile) string {
	return strings.Replace(t.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
}

func (r *reader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, t := range tiles {
		body, err := get(r.base + "/" + r.path(t))
		if err != nil {
			return nil, err
		}
		if len(body) != t.W*tlog.HashSize {
			return nil, fmt.Errorf("%v has %d bytes", t.Path(), len(body))
		}
		data = append(data, body)
	}
	return data, nil
}

func (r *reader) SaveTiles([]tlog.Tile, [][]byte) {}

func get(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s: %s", url, answer.Status, body)
	}
	return body, err
}

func check(base, vkey string) error {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	text, err := get(base + "/checkpoint")
	if err != nil {
		return err
	}
	signed, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	lines := strings.SplitN(signed.Text, "\n", 2)
	if lines[0] != verifier.Name() {
		return fmt.Errorf("the origin is %q", lines[0])
	}
	// The packages read the same body under their own first line.
	tree, err := tlog.ParseTree([]byte("go.sum database tree\n" + lines[1]))
	if err != nil {
		return err
	}
	tiles := &reader{base}
	hashes := tlog.TileHashReader(tree, tiles)
	for n := int64(0); n < tree.N; n += 256 {
		w := tree.N - n
		if w > 256 {
			w = 256
		}
		t := tlog.Tile{H: height, L: -1, N: n / 256, W: int(w)}
		name := strings.Replace(tiles.path(t), "tile/data/", "tile/entries/", 1)
		bundle, err := get(base + "/" + name)
		if err != nil {
			return err
		}
		for i := n; i < n+w; i++ {
			size := int(binary.BigEndian.Uint16(bundle))
			entry := bundle[2 : 2+size]
			bundle = bundle[2+size:]
			proof, err := tlog.ProveRecord(tree.N, i, hashes)
			if err != nil {
				return err
			}
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, i, tlog.RecordHash(entry)); err != nil {
				return fmt.Errorf("record %d: %w", i, err)
			}
		}
		if len(bundle) > 0 {
			return fmt.Errorf("%s has %d bytes too many", name, len(bundle))
		}
	}
	for n := int64(1); n < tree.N; n++ {
		before, err := tlog.TreeHash(n, hashes)
		if err != nil {
			return err
		}
		proof, err := tlog.ProveTree(tree.N, n, hashes)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, n, before); err != nil {
			return fmt.Errorf("tree of %d: %w", n, err)
		}
	}
	forged := tlog.Hash(sha256.Sum256([]byte("forged")))
	proof, err := tlog.ProveRecord(tree.N, 0, hashes)
	if err != nil {
		return err
	}
	if tlog.CheckRecord(proof, tree.N, tree.Hash, 0, forged) == nil {
		return fmt.Errorf("a forged record was taken")
	}
	fmt.Printf("%s: %d records and %d earlier trees hold\n", lines[0], tree.N, tree.N-1)
	return nil
}

func main() {
	if err := check(os.Args[1], os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
