// Reads a registry with the Go types of the official MCP registry, and prints what it read as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"

	apiv0 "github.com/modelcontextprotocol/registry/pkg/api/v0"
)

// Servers whose versions are read one by one.
const looked = 20

var name = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

func main() {
	base := os.Args[1] + "/v0.1/servers"
	var all []apiv0.ServerResponse
	seen := map[string]bool{}
	pages := 0
	for cursor := ""; ; pages++ {
		var page apiv0.ServerListResponse
		read(base+"?limit=100&cursor="+url.QueryEscape(cursor), &page)
		must(page.Metadata.Count == len(page.Servers), "count of page %d", pages)
		for _, each := range page.Servers {
			server := each.Server
			key := server.Name + " " + server.Version
			must(!seen[key], "%s came twice", key)
			must(name.MatchString(server.Name), "name %q", server.Name)
			must(server.Schema != "" && server.Version != "" && server.Description != "", "members of %s", key)
			must(len(server.Description) <= 100, "description of %s", key)
			must(len(server.Remotes) == 1 && server.Remotes[0].URL != "", "remotes of %s", key)
			must(each.Meta.Official == nil, "%s passes for official", key)
			seen[key] = true
		}
		all = append(all, page.Servers...)
		if cursor = page.Metadata.NextCursor; cursor == "" {
			break
		}
	}
	for n := 0; n < len(all) && n < looked; n++ {
		at := base + "/" + url.PathEscape(all[n].Server.Name) + "/versions"
		var latest apiv0.ServerResponse
		read(at+"/latest", &latest)
		must(reflect.DeepEqual(latest, all[n]), "latest of %s", all[n].Server.Name)
		var versions apiv0.ServerListResponse
		read(at, &versions)
		must(len(versions.Servers) > 0, "versions of %s", all[n].Server.Name)
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]int{"servers": len(all), "pages": pages + 1}) == nil, "print")
}

func read(at string, into any) {
	answer, err := http.Get(at)
	must(err == nil, "%s: %v", at, err)
	defer answer.Body.Close()
	must(answer.StatusCode == http.StatusOK, "%s answered %d", at, answer.StatusCode)
	err = json.NewDecoder(answer.Body).Decode(into)
	must(err == nil, "%s: %v", at, err)
}

func must(holds bool, format string, values ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, format+"\n", values...)
		os.Exit(1)
	}
}
