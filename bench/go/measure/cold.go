package main

import (
	"context"
	"errors"
	"time"
)

// Cold: n objects exist, no copies. How long until the last copy is seen?
func (b *Bench) Cold(ctx context.Context, n int) (Metrics, error) {
	if err := b.source.Lay(ctx, n); err != nil {
		return nil, err
	}
	if err := b.clear(ctx); err != nil {
		return nil, err
	}
	r, err := b.start(ctx, false)
	if err != nil {
		return nil, err
	}
	defer r.end()
	limit, cancel := context.WithTimeout(r.ctx, b.limit)
	defer cancel()
	first, err := r.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) > 0 })
	var done time.Time
	if err == nil {
		done, err = r.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) >= n })
	}
	if errors.Is(err, context.DeadlineExceeded) {
		copied := r.observer.Count()
		return Metrics{"unfinished": 1, "copied": float64(copied), "limit_s": b.limit.Seconds(),
			"per_second": float64(copied) / b.limit.Seconds()}, nil
	}
	if err != nil {
		return nil, err
	}
	usage, err := r.Usage()
	if err != nil {
		return nil, err
	}
	metrics := Metrics{
		"seconds":       done.Sub(r.Started).Seconds(),
		"first_seconds": first.Sub(r.Started).Seconds(),
		"per_second":    float64(n) / done.Sub(r.Started).Seconds(),
		"peak_rss_mib":  usage.PeakRSS,
		"cpu_s":         usage.CPU,
	}
	return metrics, r.account(ctx, metrics, r.beforeMirror, n)
}

// Restart: everything is in sync, the mirror starts again and one object changes at that moment.
func (b *Bench) Restart(ctx context.Context, n int) (Metrics, error) {
	synced, err := b.inSync(ctx, n, false)
	if err != nil {
		return nil, err
	}
	synced.end()
	r, err := b.start(ctx, false)
	if err != nil {
		return nil, err
	}
	defer r.end()
	limit, cancel := context.WithTimeout(r.ctx, b.limit)
	defer cancel()
	if _, err := r.probe(limit); err != nil {
		return nil, err
	}
	ready := time.Since(r.Started)
	usage, err := r.Usage()
	if err != nil {
		return nil, err
	}
	metrics := Metrics{"seconds": ready.Seconds(), "cpu_s": usage.CPU}
	if err := sleep(ctx, 10*time.Second); err != nil {
		return nil, err
	}
	if usage, err = r.Usage(); err != nil {
		return nil, err
	}
	metrics["rest_rss_mib"], metrics["peak_rss_mib"] = usage.RSS, usage.PeakRSS
	if err := r.account(ctx, metrics, r.beforeMirror, 0); err != nil {
		return nil, err
	}
	metrics["needless_writes"] = metrics["host_writes"] - 1
	return metrics, nil
}
