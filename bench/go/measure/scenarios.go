package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strconv"
	"time"
)

// Metrics is what one run of a scenario found out.
type Metrics map[string]float64

// Bench runs scenarios for one mirror.
type Bench struct {
	virtual, host *Cluster
	source        *Source
	sidecar       *Sidecar
	mirror        Mirror
	namespace     string // where the mirror puts its copies
	vcluster      string
	limit         time.Duration // for one mirror to come into sync
	delay         time.Duration // added to each round trip
}

var errExited = errors.New("the mirror ended by itself")

// Run is a mirror at work with the harness's eyes on it.
type Run struct {
	*Bench
	*Process
	observer     *Observer
	proxies      []*Proxy // virtual, host; empty unless asked for
	beforeMirror Requests // on the host
	ctx          context.Context
	cancel       context.CancelCauseFunc
	dir          string
}

// start begins to observe, then starts the mirror.
func (b *Bench) start(parent context.Context, proxied bool) (_ *Run, err error) {
	ctx, cancel := context.WithCancelCause(parent)
	r := &Run{Bench: b, ctx: ctx, cancel: cancel}
	defer func() {
		if err != nil {
			r.end()
		}
	}()
	if r.dir, err = os.MkdirTemp("", "measure"); err != nil {
		return nil, err
	}
	addresses := []string{"", ""}
	for i, cluster := range []*Cluster{b.virtual, b.host} {
		if !proxied && b.delay == 0 {
			break
		}
		proxy, err := NewProxy(cluster.Address(), b.delay)
		if err != nil {
			return nil, err
		}
		r.proxies = append(r.proxies, proxy)
		addresses[i] = proxy.Address()
	}
	workplace := &Workplace{Name: b.vcluster, TargetNamespace: b.namespace, SidecarAddress: b.sidecar.Address}
	if workplace.VirtualKubeconfig, err = b.virtual.Kubeconfig(addresses[0]); err != nil {
		return nil, err
	}
	if workplace.HostKubeconfig, err = b.host.Kubeconfig(addresses[1]); err != nil {
		return nil, err
	}
	if r.observer, err = Observe(ctx, b.host, b.namespace); err != nil {
		return nil, err
	}
	if r.beforeMirror, err = b.host.Requests(ctx); err != nil {
		return nil, err
	}
	b.sidecar.Use(workplace)
	if r.Process, err = b.mirror.Start(r.dir, workplace); err != nil {
		return nil, err
	}
	go func() {
		<-r.exited
		cancel(errExited)
	}()
	return r, nil
}

func (r *Run) end() {
	if r.Process != nil {
		r.Stop()
	}
	for _, proxy := range r.proxies {
		proxy.Close()
	}
	r.cancel(nil)
	os.RemoveAll(r.dir)
}

// inSync starts the mirror and returns once it has copied exactly the n objects and has mirrored a
// change.
func (b *Bench) inSync(ctx context.Context, n int, proxied bool) (*Run, error) {
	if err := b.source.Lay(ctx, n); err != nil {
		return nil, err
	}
	r, err := b.start(ctx, proxied)
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(r.ctx, b.limit)
	defer cancel()
	err = func() error {
		if _, err := r.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) == n }); err != nil {
			return err
		}
		if _, err := r.probe(limit); err != nil {
			return err
		}
		for {
			wrong, err := b.wrong(limit)
			if err != nil || wrong == 0 {
				return err
			}
			if err := sleep(limit, time.Second); err != nil {
				return err
			}
		}
	}()
	if err == nil {
		err = sleep(ctx, 3*time.Second)
	}
	if err != nil {
		r.end()
		return nil, fmt.Errorf("bringing %s into sync: %w", b.mirror.Name, err)
	}
	return r, nil
}

// probe changes the object that comes last in a list and returns how long its copy took.
func (r *Run) probe(ctx context.Context) (time.Duration, error) {
	object := r.source.objects[len(r.source.objects)-1]
	version, err := r.source.Update(ctx, object)
	if err != nil {
		return 0, err
	}
	acked := time.Now()
	at, err := r.observer.Wait(ctx, func(seen map[string]int64) bool { return seen[object] >= version })
	return at.Sub(acked), err
}

// wrong counts the objects whose copy is missing, left over or different.
func (b *Bench) wrong(ctx context.Context) (int, error) {
	want, err := b.virtual.List(ctx, "")
	if err != nil {
		return 0, err
	}
	have, err := b.host.List(ctx, b.namespace)
	if err != nil {
		return 0, err
	}
	copies := map[string]map[string]string{}
	wrong := 0
	for _, item := range have.Items {
		if object, _, ok := identity(&item); ok {
			if copies[object] != nil {
				wrong++
			}
			copies[object] = item.Data
		}
	}
	for _, item := range want.Items {
		if object, _, ok := identity(&item); ok {
			if !maps.Equal(item.Data, copies[object]) {
				wrong++
			}
			delete(copies, object)
		}
	}
	return wrong + len(copies), nil
}

// account adds what the mirror has done on the host since a point in time. It waits first: an API
// server counts a request a little after its effect is seen, and a late write would be a finding.
func (r *Run) account(ctx context.Context, metrics Metrics, since Requests, changes int) error {
	if err := sleep(ctx, 2*time.Second); err != nil {
		return err
	}
	now, err := r.host.Requests(ctx)
	if err != nil {
		return err
	}
	wrong, err := r.wrong(ctx)
	if err != nil {
		return err
	}
	done := now.Minus(since)
	metrics["host_writes"] = float64(done.Writes)
	metrics["host_refused"] = float64(done.Refused)
	metrics["host_reads"] = float64(done.Reads)
	metrics["wrong_objects"] = float64(wrong)
	if changes > 0 {
		metrics["writes_per_change"] = float64(done.Writes) / float64(changes)
	}
	return nil
}

func (b *Bench) clear(ctx context.Context) error {
	list, err := b.host.List(ctx, b.namespace)
	if err != nil {
		return err
	}
	if err := b.host.Delete(ctx, list.Items); err != nil {
		return err
	}
	return sleep(ctx, 2*time.Second)
}

func sleep(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(duration):
		return nil
	}
}

func number(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is not a positive number", text)
	}
	return n, nil
}
