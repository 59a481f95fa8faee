package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

type change struct {
	object  string
	version int64
	acked   time.Time
	took    time.Duration // by the virtual API server, until it answered
}

type arrival struct {
	version int64
	deleted bool
	at      time.Time
}

// arrivals collects every host event from now on, by object.
func (r *Run) arrivals() (collected func() map[string][]arrival) {
	arrivals := map[string][]arrival{}
	r.observer.Each(func(object string, version int64, deleted bool, at time.Time) {
		arrivals[object] = append(arrivals[object], arrival{version, deleted, at})
	})
	return func() map[string][]arrival {
		r.observer.Each(nil)
		return arrivals
	}
}

// poisson calls do in its own goroutine at random times, rate per second on average, and waits for
// all of them.
func poisson(ctx context.Context, rate float64, duration time.Duration, do func() error) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	end := time.Now().Add(duration)
	for next := time.Now(); next.Before(end); {
		if err := sleep(ctx, time.Until(next)); err != nil {
			failed = err
			break
		}
		group.Go(func() {
			if err := do(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = err
			}
		})
		next = next.Add(time.Duration(rand.ExpFloat64() / rate * float64(time.Second)))
	}
	group.Wait()
	return failed
}

// Steady: random objects of n change at a rate. How long after the virtual API server has answered
// is the change seen on the host?
func (b *Bench) Steady(ctx context.Context, rate float64, duration time.Duration, n int) (Metrics, error) {
	r, err := b.inSync(ctx, n, false)
	if err != nil {
		return nil, err
	}
	defer r.end()
	usedBefore, err := r.Usage()
	if err != nil {
		return nil, err
	}
	since, err := b.host.Requests(ctx)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, time.Second); err != nil {
		return nil, err
	}

	stream, err := r.changing(rate, duration)
	if err != nil {
		return nil, err
	}
	used, err := r.Usage()
	if err != nil {
		return nil, err
	}
	metrics := Metrics{
		"changes":             float64(stream.changes),
		"coalesced":           float64(stream.coalesced),
		"cpu_s_per_1k":        (used.CPU - usedBefore.CPU) / float64(stream.changes) * 1000,
		"rss_mib":             used.RSS,
		"undelivered_changes": float64(stream.changes - len(stream.latencies)),
	}
	metrics.percentiles("", stream.latencies)
	return metrics, r.account(ctx, metrics, since, stream.changes)
}

// delivered is what became of changes: how many there were, how long the virtual API server took for each, how late
// each was seen on the host, and how many were overtaken by a later one of the same object.
type delivered struct {
	changes, coalesced int
	writes, latencies  []time.Duration
}

// changing changes random objects at a rate and returns when the last change is seen on the host.
func (r *Run) changing(rate float64, duration time.Duration) (*delivered, error) {
	collected := r.arrivals()
	changes, err := r.change(rate, duration)
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(r.ctx, r.limit)
	defer cancel()
	newest := map[string]int64{}
	for _, c := range changes {
		newest[c.object] = max(newest[c.object], c.version)
	}
	_, err = r.observer.Wait(limit, func(seen map[string]int64) bool {
		for object, version := range newest {
			if seen[object] < version {
				return false
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return compare(changes, collected()), nil
}

// change updates random objects, none twice at a time.
func (r *Run) change(rate float64, duration time.Duration) ([]change, error) {
	var mu sync.Mutex
	var changes []change
	busy := map[string]bool{}
	err := poisson(r.ctx, rate, duration, func() error {
		mu.Lock()
		object := r.source.objects[rand.IntN(len(r.source.objects))]
		for busy[object] {
			object = r.source.objects[rand.IntN(len(r.source.objects))]
		}
		busy[object] = true
		mu.Unlock()
		sent := time.Now()
		version, err := r.source.Update(r.ctx, object)
		acked := time.Now()
		mu.Lock()
		defer mu.Unlock()
		delete(busy, object)
		changes = append(changes, change{object: object, version: version, acked: acked, took: acked.Sub(sent)})
		return err
	})
	return changes, err
}

func compare(changes []change, arrivals map[string][]arrival) *delivered {
	result := &delivered{changes: len(changes)}
	for _, c := range changes {
		result.writes = append(result.writes, c.took)
		for _, a := range arrivals[c.object] {
			if a.version >= c.version {
				result.latencies = append(result.latencies, a.at.Sub(c.acked))
				if a.version > c.version {
					result.coalesced++
				}
				break
			}
		}
	}
	return result
}

// quiet is how many objects stand in namespaces without noise.
const quiet = 100

// Noisy: objects change at a rate, first alone, then while n objects are created in a namespace of their
// own. How much later are the changes of the others seen, and how much longer does the virtual API server itself take
// for them?
func (b *Bench) Noisy(ctx context.Context, rate float64, duration time.Duration, n int) (Metrics, error) {
	r, err := b.inSync(ctx, quiet, false)
	if err != nil {
		return nil, err
	}
	defer r.end()
	alone, err := r.changing(rate, duration)
	if err != nil {
		return nil, err
	}
	if err := b.virtual.EnsureNamespace(ctx, "bench-noisy"); err != nil {
		return nil, err
	}
	noise := make(chan error, 1)
	go func() {
		noise <- parallel(n, preparers, func(i int) error {
			_, err := b.source.Create(r.ctx, fmt.Sprintf("bench-noisy/cm-%06d", i))
			return err
		})
	}()
	noisy, err := r.changing(rate, duration)
	if err := errors.Join(err, <-noise); err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(r.ctx, b.limit)
	defer cancel()
	_, err = r.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) == n+quiet })
	if err != nil {
		return nil, err
	}
	metrics := Metrics{}
	metrics.percentiles("alone_", alone.latencies)
	metrics.percentiles("beside_", noisy.latencies)
	metrics.percentiles("alone_write_", alone.writes)
	metrics.percentiles("beside_write_", noisy.writes)
	metrics["p99_ratio"] = metrics["beside_p99_ms"] / metrics["alone_p99_ms"]
	metrics["write_p99_ratio"] = metrics["beside_write_p99_ms"] / metrics["alone_write_p99_ms"]
	return metrics, nil
}
