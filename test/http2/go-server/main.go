// http2-server is Go's own HTTP/2 server, as a kube-apiserver has it: the client of sdk/engine/transport/http2 is tried with it.
// It takes the files of a certificate and a key, and prints its port.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Method", r.Method)
		w.Header().Set("X-Length", strconv.FormatInt(r.ContentLength, 10))
		w.Header().Set("X-Protocol", r.Proto)
		for name, values := range r.Header {
			for _, value := range values {
				w.Header().Add("Echo-"+name, value)
			}
		}
		io.Copy(w, r.Body)
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) {
		count, _ := strconv.Atoi(r.URL.Query().Get("bytes"))
		line := make([]byte, 1000)
		for ; count > 0; count -= len(line) {
			w.Write(line[:min(count, len(line))])
		}
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		for at := 0; r.Context().Err() == nil; at++ {
			fmt.Fprintf(w, "%d\n", at)
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	mux.HandleFunc("/trailers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		w.WriteHeader(http.StatusEarlyHints)
		io.WriteString(w, "body")
		w.Header().Set("X-Sum", "42")
	})
	mux.HandleFunc("/abort", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/close", func(w http.ResponseWriter, r *http.Request) {
		// The server then sends GOAWAY and closes the connection when its streams are over.
		w.Header().Set("Connection", "close")
		io.WriteString(w, "closing")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.ServeTLS(listener, mux, os.Args[1], os.Args[2]))
}
