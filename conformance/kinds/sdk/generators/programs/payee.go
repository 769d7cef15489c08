package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// Sends one signed request, METHOD PATH [BODY], and prints the answer.
func main() {
	var body io.Reader
	if len(os.Args) > 3 {
		body = strings.NewReader(os.Args[3])
	}
	request, err := http.NewRequest(os.Args[1], os.Getenv("HUB_URL")+os.Args[2], body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if err := sign(request); err != nil {
		panic(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
