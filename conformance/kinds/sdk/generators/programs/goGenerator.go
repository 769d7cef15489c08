// openapi-generator, go: signs in the transport of its HTTP client.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	hub "made/hub"
)

type signing struct{}

func (signing) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := sign(request); err != nil {
		return nil, err
	}
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	ctx := context.Background()
	configuration := hub.NewConfiguration()
	configuration.Servers = hub.ServerConfigurations{{URL: os.Getenv("HUB_URL")}}
	index, _, err := hub.NewAPIClient(configuration).DiscoveryAPI.DiscoveryIndex(ctx).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println("unsigned", index.Hub)
	configuration.HTTPClient = &http.Client{Transport: signing{}}
	me, _, err := hub.NewAPIClient(configuration).WalletAPI.WalletMe(ctx).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println("signed", me.Owner)
}
