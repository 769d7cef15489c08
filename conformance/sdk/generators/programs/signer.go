package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// sign adds the signature headers (RFC 9421) to a request without a body.
func sign(request *http.Request) error {
	seed, err := hex.DecodeString(os.Getenv("HUB_SEED"))
	if err != nil {
		return err
	}
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	covered := `"@method" "@authority" "@path"`
	lines := []string{
		`"@method": ` + request.Method,
		`"@authority": ` + request.URL.Host,
		`"@path": ` + request.URL.EscapedPath(),
	}
	if request.URL.RawQuery != "" {
		covered += ` "@query"`
		lines = append(lines, `"@query": ?`+request.URL.RawQuery)
	}
	parameters := fmt.Sprintf(`(%s);created=%d;keyid="%s";alg="ed25519";nonce="%x"`,
		covered, time.Now().Unix(), os.Getenv("HUB_KEY_ID"), nonce)
	lines = append(lines, `"@signature-params": `+parameters)
	signature := ed25519.Sign(ed25519.NewKeyFromSeed(seed), []byte(strings.Join(lines, "\n")))
	request.Header.Set("Signature-Input", "sig1="+parameters)
	request.Header.Set("Signature", "sig1=:"+base64.StdEncoding.EncodeToString(signature)+":")
	return nil
}
