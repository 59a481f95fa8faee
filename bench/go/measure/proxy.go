package main

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Proxy passes TCP connections to one API server, can be slow and can break them in two ways.
type Proxy struct {
	listener net.Listener
	target   string
	delay    time.Duration // added to each round trip

	mu    sync.Mutex
	down  bool
	pairs map[*pair]bool
}

type pair struct {
	client, server net.Conn
	frozen         atomic.Bool
}

func NewProxy(target string, delay time.Duration) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, target: target, delay: delay, pairs: map[*pair]bool{}}
	go p.accept()
	return p, nil
}

func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut resets every connection, and every new one until Restore.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
	for pair := range p.pairs {
		reset(pair.client)
		pair.server.Close()
	}
}

func (p *Proxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = false
}

// Freeze keeps the connections of now open forever and silently drops what is sent over them.
// New connections work.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for pair := range p.pairs {
		pair.frozen.Store(true)
	}
}

func (p *Proxy) Close() {
	p.listener.Close()
	p.Cut()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.serve(client)
	}
}

func (p *Proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		reset(client)
		return
	}
	pair := &pair{client: client, server: server}
	p.mu.Lock()
	if p.down {
		p.mu.Unlock()
		reset(client)
		server.Close()
		return
	}
	p.pairs[pair] = true
	p.mu.Unlock()

	var directions sync.WaitGroup
	directions.Go(func() { pair.pass(server, client, p.delay/2) })
	directions.Go(func() { pair.pass(client, server, p.delay/2) })
	directions.Wait()

	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pairs, pair)
}

// parcel is what was read in one go, and when it may go on.
type parcel struct {
	due  time.Time
	data []byte
}

// pass copies until either side ends, then ends both.
func (p *pair) pass(to, from net.Conn, delay time.Duration) {
	defer to.Close()
	defer from.Close()
	way := make(chan parcel, 1024)
	var delivery sync.WaitGroup
	delivery.Go(func() { p.deliver(to, way) })
	for {
		buffer := make([]byte, 64<<10)
		n, err := from.Read(buffer)
		if n > 0 && !p.frozen.Load() {
			way <- parcel{time.Now().Add(delay), buffer[:n]}
		}
		if err != nil {
			close(way)
			delivery.Wait()
			return
		}
	}
}

// deliver goes on taking parcels after a failure, so that their sender is not blocked.
func (p *pair) deliver(to net.Conn, way chan parcel) {
	var failed error
	for parcel := range way {
		time.Sleep(time.Until(parcel.due))
		if failed == nil {
			_, failed = to.Write(parcel.data)
		}
		if failed != nil {
			reset(to)
		}
	}
}

// reset makes the other end see a connection reset instead of an orderly end.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}
