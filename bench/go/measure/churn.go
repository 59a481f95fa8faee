package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Churn: while n objects stay, others are made at a rate and live for a second on average.
func (b *Bench) Churn(ctx context.Context, rate float64, duration time.Duration, n int) (Metrics, error) {
	r, err := b.inSync(ctx, n, false)
	if err != nil {
		return nil, err
	}
	defer r.end()
	since, err := b.host.Requests(ctx)
	if err != nil {
		return nil, err
	}
	collected := r.arrivals()
	var mu sync.Mutex
	var created, deleted []change
	err = poisson(r.ctx, rate, duration, func() error {
		object := fmt.Sprintf("bench-%d/churn-%016x", rand.IntN(namespaces), rand.Uint64())
		version, err := b.source.Create(r.ctx, object)
		createdAt := time.Now()
		if err != nil {
			return err
		}
		if err := sleep(r.ctx, time.Duration(rand.ExpFloat64()*float64(time.Second))); err != nil {
			return err
		}
		err = b.source.Delete(r.ctx, object)
		deletedAt := time.Now()
		mu.Lock()
		defer mu.Unlock()
		created = append(created, change{object: object, version: version, acked: createdAt})
		deleted = append(deleted, change{object: object, version: version, acked: deletedAt})
		return err
	})
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(r.ctx, time.Minute)
	defer cancel()
	if err := sleep(ctx, 2*time.Second); err != nil {
		return nil, err
	}
	_, err = r.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) == n })
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	arrivals := collected()
	var creations, deletions []time.Duration
	leftOver := 0
	for i := range created {
		events := arrivals[created[i].object]
		if len(events) == 0 {
			continue
		}
		creations = append(creations, events[0].at.Sub(created[i].acked))
		if last := events[len(events)-1]; last.deleted {
			deletions = append(deletions, last.at.Sub(deleted[i].acked))
		} else {
			leftOver++
		}
	}
	metrics := Metrics{
		"objects":      float64(len(created)),
		"never_copied": float64(len(created) - len(creations)),
		"left_over":    float64(leftOver),
	}
	metrics.percentiles("create_", creations)
	metrics.percentiles("delete_", deletions)
	return metrics, r.account(ctx, metrics, since, 2*len(created))
}
