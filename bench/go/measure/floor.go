package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Protocols are the ways to talk to an API server.
var Protocols = []string{"http1", "http2"}

// Floor posts n ready-made objects straight to the host with the given number of workers: what no
// mirror can beat with that protocol and concurrency.
func (b *Bench) Floor(ctx context.Context, n int, protocol string, workers int) (Metrics, error) {
	if err := b.clear(ctx); err != nil {
		return nil, err
	}
	bodies := make([][]byte, n)
	for i := range bodies {
		item := content(fmt.Sprintf("floor/cm-%06d", i), int64(i+1), b.source.payload)
		item.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
		item.Namespace = b.namespace
		body, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		bodies[i] = body
	}
	client, err := rawClient(b.host, protocol, workers)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	observer, err := Observe(ctx, b.host, b.namespace)
	if err != nil {
		return nil, err
	}
	url := b.host.rest.Host + "/api/v1/namespaces/" + b.namespace + "/configmaps"
	started := time.Now()
	if err := parallel(n, workers, func(i int) error { return post(ctx, client, url, bodies[i]) }); err != nil {
		return nil, err
	}
	done, err := observer.Wait(ctx, func(seen map[string]int64) bool { return len(seen) == n })
	if err != nil {
		return nil, err
	}
	took := done.Sub(started).Seconds()
	return Metrics{"seconds": took, "per_second": float64(n) / took}, b.clear(ctx)
}

func rawClient(cluster *Cluster, protocol string, connections int) (*http.Client, error) {
	tls, err := rest.TLSConfigFor(cluster.rest)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		TLSClientConfig:     tls,
		MaxIdleConnsPerHost: connections,
		MaxConnsPerHost:     connections,
		DisableCompression:  true,
		Protocols:           new(http.Protocols),
	}
	switch protocol {
	case "http1":
		transport.Protocols.SetHTTP1(true)
	case "http2":
		transport.Protocols.SetHTTP2(true)
	default:
		return nil, fmt.Errorf("protocol %q is not one of %v", protocol, Protocols)
	}
	return &http.Client{Transport: transport}, nil
}

func post(ctx context.Context, client *http.Client, url string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusCreated {
		return fmt.Errorf("POST: %s", response.Status)
	}
	return nil
}
