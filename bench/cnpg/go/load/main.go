// load calls the hook of a plugin for a Pod, with a fixed number of calls at a time, and prints how long they took.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudnative-pg/cnpg-i/pkg/identity"
	"github.com/cloudnative-pg/cnpg-i/pkg/lifecycle"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

type figures struct {
	Hooks      int     `json:"hooks"`
	Failed     int64   `json:"failed"`
	PerSecond  float64 `json:"perSecond"`
	P50Ms      float64 `json:"p50Ms"`
	P99Ms      float64 `json:"p99Ms"`
	SlowestMs  float64 `json:"slowestMs"`
	PatchBytes int64   `json:"patchBytes"`
}

type options struct {
	address, serverName, serverCert, clientCert, clientKey string
	cluster, pod                                           string
	connections, calls                                     int
	seconds                                                float64
	waitOnly                                               bool
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run() error {
	var o options
	flag.StringVar(&o.address, "address", "", "host:port of the plugin")
	flag.StringVar(&o.serverName, "server-name", "", "the name in its certificate")
	flag.StringVar(&o.serverCert, "server-cert", "", "PEM to trust")
	flag.StringVar(&o.clientCert, "client-cert", "", "PEM of the certificate to present")
	flag.StringVar(&o.clientKey, "client-key", "", "PEM of its key")
	flag.StringVar(&o.cluster, "cluster", "", "file with the Cluster as JSON")
	flag.StringVar(&o.pod, "pod", "", "file with the Pod as JSON")
	flag.IntVar(&o.connections, "connections", 5, "connections: the operator has at most 5")
	flag.IntVar(&o.calls, "calls", 200, "calls at a time")
	flag.Float64Var(&o.seconds, "seconds", 5, "how long to measure")
	flag.BoolVar(&o.waitOnly, "wait-only", false, "only wait until the plugin answers a probe, and exit")
	flag.Parse()
	clients, err := o.connect()
	if err != nil {
		return err
	}
	if err := waitFor(clients[0]); err != nil || o.waitOnly {
		return err
	}
	request, err := o.request()
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(o.measure(clients, request))
}

func (o options) connect() ([]*grpc.ClientConn, error) {
	pair, err := tls.LoadX509KeyPair(o.clientCert, o.clientKey)
	if err != nil {
		return nil, err
	}
	trusted, err := os.ReadFile(o.serverCert)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(trusted) {
		return nil, errors.New("no certificate to trust")
	}
	config := &tls.Config{
		ServerName: o.serverName, RootCAs: pool, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13,
	}
	clients := make([]*grpc.ClientConn, o.connections)
	for i := range clients {
		if clients[i], err = grpc.NewClient(o.address, grpc.WithTransportCredentials(credentials.NewTLS(config))); err != nil {
			return nil, err
		}
	}
	return clients, nil
}

// waitFor answers once the plugin answers a probe.
func waitFor(conn *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		_, err := identity.NewIdentityClient(conn).Probe(ctx, &identity.ProbeRequest{})
		if err == nil || ctx.Err() != nil {
			return err
		}
		conn.ResetConnectBackoff()
		time.Sleep(2 * time.Millisecond)
	}
}

func (o options) request() (*lifecycle.OperatorLifecycleRequest, error) {
	cluster, err := os.ReadFile(o.cluster)
	if err != nil {
		return nil, err
	}
	pod, err := os.ReadFile(o.pod)
	return &lifecycle.OperatorLifecycleRequest{
		OperationType:     &lifecycle.OperatorOperationType{Type: lifecycle.OperatorOperationType_TYPE_EVALUATE},
		ClusterDefinition: cluster,
		ObjectDefinition:  pod,
	}, err
}

func (o options) measure(clients []*grpc.ClientConn, request *lifecycle.OperatorLifecycleRequest) figures {
	o.load(clients, request, time.Second) // to warm up
	return o.load(clients, request, time.Duration(o.seconds*float64(time.Second)))
}

func (o options) load(clients []*grpc.ClientConn, request *lifecycle.OperatorLifecycleRequest, length time.Duration) figures {
	var wait sync.WaitGroup
	var failed, patchBytes atomic.Int64
	times := make([][]float64, o.calls)
	start := time.Now()
	for worker := range o.calls {
		client := lifecycle.NewOperatorLifecycleClient(clients[worker%len(clients)])
		wait.Add(1)
		go func() {
			defer wait.Done()
			for time.Since(start) < length {
				began := time.Now()
				answer, err := client.LifecycleHook(context.Background(), request)
				if err != nil {
					failed.Add(1)
					continue
				}
				patchBytes.Store(int64(len(answer.GetJsonPatch())))
				times[worker] = append(times[worker], float64(time.Since(began).Microseconds())/1000)
			}
		}()
	}
	wait.Wait()
	all := slices.Concat(times...)
	slices.Sort(all)
	at := func(share float64) float64 {
		if len(all) == 0 {
			return 0
		}
		return all[int(share*float64(len(all)-1))]
	}
	return figures{
		len(all), failed.Load(), float64(len(all)) / time.Since(start).Seconds(), at(0.5), at(0.99), at(1), patchBytes.Load(),
	}
}
