// Finds an order of all calls of a round, one after the other, in which each answer is right and
// which fits the times at which the calls began and ended (Herlihy and Wing 1990).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	accountsMax = 8
	roundMax    = 2 * time.Minute
	lineMax     = 64 << 20
)

type payment struct {
	From   int `json:"from"`
	To     int `json:"to"`
	Amount int `json:"amount"`
}

type answer struct {
	IsPaid   bool  `json:"isPaid"`
	Balances []int `json:"balances"`
}

type call struct {
	Client int      `json:"client"`
	Call   int64    `json:"call"`
	Return *int64   `json:"return"`
	Pay    *payment `json:"pay"`
	Answer *answer  `json:"answer"`
}

type books [accountsMax]int

func model(count, funds int) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} {
			var state books
			for n := 0; n < count; n++ {
				state[n] = funds
			}
			return state
		},
		Step: func(state, input, output interface{}) (bool, interface{}) {
			before, pay, seen := state.(books), input.(*payment), output.(*answer)
			after, isPaid := before, false
			if pay != nil && before[pay.From] >= pay.Amount {
				isPaid = true
				after[pay.From] -= pay.Amount
				after[pay.To] += pay.Amount
			}
			// Nobody knows the answer of a process that was killed; it may count all the same.
			if seen == nil {
				return true, after
			}
			for n, balance := range seen.Balances {
				if before[n] != balance {
					return false, nil
				}
			}
			return seen.IsPaid == isPaid, after
		},
	}
}

func history(calls []call) []porcupine.Operation {
	operations := make([]porcupine.Operation, 0, len(calls))
	for n, c := range calls {
		end := int64(math.MaxInt64)
		if c.Answer != nil {
			end = *c.Return
		}
		// A client that was not answered goes on; its open call needs a client of its own.
		client := c.Client
		if c.Answer == nil {
			client = 1000 + n
		}
		operations = append(operations, porcupine.Operation{
			ClientId: client, Input: c.Pay, Call: c.Call, Output: c.Answer, Return: end,
		})
	}
	return operations
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	count, _ := strconv.Atoi(os.Args[2])
	funds, _ := strconv.Atoi(os.Args[3])
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, lineMax)
	for round := 1; lines.Scan(); round++ {
		var calls []call
		if err := json.Unmarshal(lines.Bytes(), &calls); err != nil {
			panic(err)
		}
		result := porcupine.CheckOperationsTimeout(model(count, funds), history(calls), roundMax)
		if result != porcupine.Ok {
			fmt.Printf("%s, line %d: %s\n", os.Args[1], round, result)
			os.Exit(1)
		}
	}
}
