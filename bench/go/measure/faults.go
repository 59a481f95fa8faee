package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Cut: every connection of the mirror is reset and refused for two to three seconds, in which one
// object changes. How long after connections work again is the change seen? The length is random:
// a fixed one could favour a mirror that retries in whole seconds.
func (b *Bench) Cut(ctx context.Context, n int) (Metrics, error) {
	outage := 2*time.Second + rand.N(time.Second)
	return b.interrupted(ctx, n, func(r *Run) (time.Time, error) {
		for _, proxy := range r.proxies {
			proxy.Cut()
		}
		time.AfterFunc(outage, func() {
			for _, proxy := range r.proxies {
				proxy.Restore()
			}
		})
		return time.Now().Add(outage), nil
	})
}

// Hang: every connection of the mirror stays open but carries nothing any more; new ones work. One
// object changes right then. How long until that is seen?
func (b *Bench) Hang(ctx context.Context, n int) (Metrics, error) {
	return b.interrupted(ctx, n, func(r *Run) (time.Time, error) {
		for _, proxy := range r.proxies {
			proxy.Freeze()
		}
		return time.Now(), nil
	})
}

const patience = 120 * time.Second

func (b *Bench) interrupted(ctx context.Context, n int, interrupt func(*Run) (usable time.Time, err error)) (Metrics, error) {
	r, err := b.inSync(ctx, n, true)
	if err != nil {
		return nil, err
	}
	defer r.end()
	hostBefore, err := b.host.Requests(ctx)
	if err != nil {
		return nil, err
	}
	virtualBefore, err := b.virtual.Requests(ctx)
	if err != nil {
		return nil, err
	}
	usable, err := interrupt(r)
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	_, err = r.probe(limit)
	recovered := time.Since(usable)
	metrics := Metrics{}
	switch {
	case err == nil:
		metrics["recovered_s"] = recovered.Seconds()
	case errors.Is(err, errExited):
		metrics["exited"] = 1
	case errors.Is(err, context.DeadlineExceeded):
		metrics["unrecovered"] = 1
		metrics["limit_s"] = patience.Seconds()
	default:
		return nil, err
	}
	if err := sleep(ctx, 5*time.Second); err != nil {
		return nil, err
	}
	// account lists both clusters itself, so the lists of the mirror are counted first.
	hostAfter, err := b.host.Requests(ctx)
	if err != nil {
		return nil, err
	}
	virtualAfter, err := b.virtual.Requests(ctx)
	if err != nil {
		return nil, err
	}
	metrics["host_lists"] = float64(hostAfter.Minus(hostBefore).Lists)
	metrics["virtual_lists"] = float64(virtualAfter.Minus(virtualBefore).Lists)
	return metrics, r.account(ctx, metrics, hostBefore, 0)
}

// Crash: the mirror is killed at a random moment of a cold start and started again. How long until all
// is in sync, and how many writes more than objects did it take?
func (b *Bench) Crash(ctx context.Context, n int) (Metrics, error) {
	if err := b.source.Lay(ctx, n); err != nil {
		return nil, err
	}
	if err := b.clear(ctx); err != nil {
		return nil, err
	}
	killed, err := b.start(ctx, false)
	if err != nil {
		return nil, err
	}
	defer killed.end()
	limit, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	moment := 1 + rand.IntN(n-1)
	if _, err := killed.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) >= moment }); err != nil {
		return nil, err
	}
	killed.Kill()
	again, err := b.start(ctx, false)
	if err != nil {
		return nil, err
	}
	defer again.end()
	done, err := again.observer.Wait(limit, func(seen map[string]int64) bool { return len(seen) == n })
	if err != nil {
		return nil, err
	}
	metrics := Metrics{"seconds": done.Sub(again.Started).Seconds(), "killed_at": float64(moment)}
	return metrics, again.account(ctx, metrics, killed.beforeMirror, n)
}
