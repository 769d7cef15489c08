package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// sign adds the headers of RFC 9421 to a request, and a digest of its body.
func sign(request *http.Request) error {
	seed, err := hex.DecodeString(os.Getenv("HUB_SEED"))
	if err != nil {
		return err
	}
	var names, lines []string
	cover := func(name, value string) {
		names = append(names, `"`+name+`"`)
		lines = append(lines, `"`+name+`": `+value)
	}
	cover("@method", request.Method)
	cover("@authority", request.URL.Host)
	cover("@path", request.URL.EscapedPath())
	if request.URL.RawQuery != "" {
		cover("@query", "?"+request.URL.RawQuery)
	}
	if request.Body != nil {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return err
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		digest := sha256.Sum256(body)
		value := "sha-256=:" + base64.StdEncoding.EncodeToString(digest[:]) + ":"
		request.Header.Set("Content-Digest", value)
		cover("content-digest", value)
	}
	parameters := fmt.Sprintf(`(%s);created=%d;keyid="%s";alg="ed25519";nonce="%s"`,
		strings.Join(names, " "), time.Now().Unix(), os.Getenv("HUB_KEY_ID"), rand.Text())
	cover("@signature-params", parameters)
	signature := ed25519.Sign(ed25519.NewKeyFromSeed(seed), []byte(strings.Join(lines, "\n")))
	request.Header.Set("Signature-Input", "sig1="+parameters)
	request.Header.Set("Signature", "sig1=:"+base64.StdEncoding.EncodeToString(signature)+":")
	return nil
}
