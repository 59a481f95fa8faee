// Command helmengine renders Helm charts by Helm's own packages, for a WebAssembly host that gives it no files, no network,
// and no clock or randomness of its own.
//
// The host asks `alloc` for memory, writes a request (JSON) there, calls `render`, and reads the answer (JSON) at the address
// and length that it returns. An instance renders any number of requests, one after the other.
package main

import (
	"encoding/json"
	"unsafe"
)

// held keeps what the host writes and reads from being collected.
var held = map[uintptr][]byte{}

//go:wasmexport alloc
func alloc(size int32) int32 {
	buffer := make([]byte, max(size, 1))
	address := uintptr(unsafe.Pointer(&buffer[0]))
	held[address] = buffer
	return int32(address)
}

//go:wasmexport release
func release(address int32) { delete(held, uintptr(uint32(address))) }

// render reads the request at an address of alloc. It returns the address and the length of the answer in one number.
//
//go:wasmexport render
func render(address, size int32) int64 {
	key := uintptr(uint32(address))
	output, err := json.Marshal(respond(held[key][:size]))
	if err != nil {
		output, _ = json.Marshal(answer{Error: err.Error(), Stage: "answer"})
	}
	delete(held, key)
	at := uintptr(unsafe.Pointer(&output[0]))
	held[at] = output
	return int64(at)<<32 | int64(len(output))
}

func main() {}
