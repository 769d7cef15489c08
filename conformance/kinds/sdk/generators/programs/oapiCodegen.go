// oapi-codegen: signs in a request editor.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"made/hub"
)

func main() {
	ctx := context.Background()
	plain, err := hub.NewClientWithResponses(os.Getenv("HUB_URL"))
	if err != nil {
		panic(err)
	}
	index, err := plain.DiscoveryIndexWithResponse(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println("unsigned", index.JSON200.Hub)
	editor := hub.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		return sign(request)
	})
	signing, err := hub.NewClientWithResponses(os.Getenv("HUB_URL"), editor)
	if err != nil {
		panic(err)
	}
	me, err := signing.WalletMeWithResponse(ctx, &hub.WalletMeParams{})
	if err != nil {
		panic(err)
	}
	fmt.Println("signed", me.JSON200.Owner)
	claim, err := signing.TasksClaimNextWithResponse(
		ctx, &hub.TasksClaimNextParams{}, hub.TasksClaimNextJSONRequestBody{})
	if err != nil {
		panic(err)
	}
	fmt.Println("claimed", *claim.JSON200.ClaimToken)
}
