module official-reader

go 1.26.0

require github.com/modelcontextprotocol/registry v1.8.8
