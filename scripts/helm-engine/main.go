// Command helmengine renders Helm charts by Helm's own packages, for a WebAssembly host that gives it no files, no network,
// and no clock or randomness of its own.
//
// The host asks `alloc` for memory, writes a request there, calls `renderChart`, and reads the answer at the address and length that it
// returns. An instance renders any number of requests, one after the other. Requests and answers are a head, which is JSON, with its
// length in front, and the texts that the head lists, one after the other: encoding them as JSON would take longer than to render them.
package main

import (
	"runtime/debug"
	"unsafe"
)

// The collector lets the memory grow to three times of what is in use, but not far beyond a common size of charts.
const (
	collectAtPercent = 200
	commonBytes      = 160 << 20
)

func init() {
	debug.SetGCPercent(collectAtPercent)
	debug.SetMemoryLimit(commonBytes)
}

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

// renderChart reads the request at an address of alloc. It returns the address and the length of the answer in one number.
//
//go:wasmexport renderChart
func renderChart(address, size int32) int64 {
	key := uintptr(uint32(address))
	output := packed(respond(held[key][:size]))
	delete(held, key)
	at := uintptr(unsafe.Pointer(&output[0]))
	held[at] = output
	return int64(at)<<32 | int64(len(output))
}

func main() {}
