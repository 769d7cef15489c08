// Reads each OpenAPI document that is named, as the Go libraries read it, and exits with 1 when one
// finds a fault.
package main

import (
	"fmt"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
)

func main() {
	faults := 0
	for _, name := range os.Args[1:] {
		for reader, read := range map[string]func([]byte) []string{
			"kin-openapi": kin,
			"libopenapi":  pb33f,
		} {
			text, err := os.ReadFile(name)
			if err != nil {
				panic(err)
			}
			found := read(text)
			for _, fault := range found {
				fmt.Printf("%s: %s: %s\n", name, reader, fault)
			}
			if len(found) == 0 {
				fmt.Printf("%s: valid for %s\n", name, reader)
			}
			faults += len(found)
		}
	}
	if faults > 0 {
		os.Exit(1)
	}
}

// Its rules and every example against its schema.
func kin(text []byte) []string {
	loader := openapi3.NewLoader()
	document, err := loader.LoadFromData(text)
	if err != nil {
		return []string{err.Error()}
	}
	if err := document.Validate(loader.Context); err != nil {
		return []string{err.Error()}
	}
	return nil
}

// The typed model with every reference followed, then the schema of OpenAPI.
func pb33f(text []byte) []string {
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		return []string{err.Error()}
	}
	if _, err := document.BuildV3Model(); err != nil {
		return []string{err.Error()}
	}
	whole, errs := validator.NewValidator(document)
	found := []string{}
	for _, err := range errs {
		found = append(found, err.Error())
	}
	if len(found) > 0 {
		return found
	}
	_, faults := whole.ValidateDocument()
	for _, fault := range faults {
		found = append(found, fault.Message+": "+fault.Reason)
		for _, each := range fault.SchemaValidationErrors {
			found = append(found, "  "+each.Reason)
		}
	}
	return found
}
