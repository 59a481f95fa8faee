// Command measure runs a mirror — a program that copies every ConfigMap of a virtual cluster into
// one namespace of a host cluster — between two API servers and measures it. See ../../README.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

const usage = `usage: measure [flags] SCENARIO... [-- COMMAND...]

scenarios:
  "cold N"                  "restart N"
  "steady RATE SECONDS N"   "churn RATE SECONDS N"
  "cut N"                   "hang N"
  "crash N"                 "noisy RATE SECONDS N"
  "floor N PROTOCOL W"      (no command; PROTOCOL is http1 or http2, W the number of workers)

flags:
`

// Record is one line of the results.
type Record struct {
	Time     string  `json:"time"`
	Mirror   string  `json:"mirror"`
	Scenario string  `json:"scenario"`
	Run      int     `json:"run"`
	Load     float64 `json:"load"`               // of the machine, just before
	Payload  int     `json:"payload,omitempty"`  // bytes, where it is not 1024
	DelayMs  int64   `json:"delay_ms,omitempty"` // added to each round trip
	Metrics  Metrics `json:"metrics,omitempty"`
	Error    string  `json:"error,omitempty"`
}

func main() {
	log.SetFlags(log.Ltime)
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	virtual := flag.String("virtual", "", "kubeconfig of the virtual cluster")
	host := flag.String("host", "", "kubeconfig of the host cluster")
	mode := flag.String("mode", "standalone", "how the mirror learns where to work: standalone or sidecar")
	payload := flag.Int("payload", 1024, "bytes of data per object")
	delay := flag.Duration("delay", 0, "added to each round trip between the mirror and the API servers")
	name := flag.String("name", "mirror", "name of the mirror in the results")
	namespace := flag.String("namespace", "mirrored", "host namespace for the copies")
	vcluster := flag.String("vcluster", "bench", "name of the virtual cluster")
	runs := flag.Int("runs", 1, "how often each scenario runs")
	limit := flag.Duration("limit", 5*time.Minute, "how long a mirror may take to come into sync")
	out := flag.String("out", "", "file the results are appended to; standard output if empty")
	flag.Parse()

	scenarios, command := flag.Args(), []string(nil)
	if i := slices.Index(scenarios, "--"); i >= 0 {
		scenarios, command = scenarios[:i], scenarios[i+1:]
	}
	if *virtual == "" || *host == "" || len(scenarios) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bench := &Bench{
		namespace: *namespace,
		vcluster:  *vcluster,
		limit:     *limit,
		delay:     *delay,
		sidecar:   &Sidecar{},
		mirror: Mirror{
			Name:    *name,
			Sidecar: *mode == "sidecar",
			Command: command,
			Log:     filepath.Join(os.TempDir(), "measure-"+*name+".log"),
		},
	}
	if err := bench.connect(ctx, *virtual, *host, *payload); err != nil {
		log.Fatal(err)
	}
	records, err := bench.runAll(ctx, scenarios, *runs, *out)
	table(records)
	if err != nil {
		log.Fatal(err)
	}
}

func (b *Bench) connect(ctx context.Context, virtual, host string, payload int) (err error) {
	if b.virtual, err = Connect(virtual); err != nil {
		return err
	}
	if b.host, err = Connect(host); err != nil {
		return err
	}
	b.source = &Source{cluster: b.virtual, payload: payload}
	if err := b.host.EnsureNamespace(ctx, b.namespace); err != nil {
		return err
	}
	if err := b.clear(ctx); err != nil { // what another mirror left
		return err
	}
	return b.sidecar.Serve()
}

// runAll goes on after a failed scenario, which is a result too.
func (b *Bench) runAll(ctx context.Context, scenarios []string, runs int, out string) ([]Record, error) {
	file := os.Stdout
	if out != "" {
		var err error
		if file, err = os.OpenFile(out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	var records []Record
	for _, scenario := range scenarios {
		for run := range runs {
			record := Record{
				Time:     time.Now().UTC().Format(time.RFC3339),
				Mirror:   b.mirror.Name,
				Scenario: scenario,
				Run:      run + 1,
				Load:     load(),
				DelayMs:  b.delay.Milliseconds(),
			}
			if b.source.payload != 1024 {
				record.Payload = b.source.payload
			}
			metrics, err := b.run(ctx, strings.Fields(scenario))
			if ctx.Err() != nil {
				return records, context.Cause(ctx)
			}
			record.Metrics = metrics
			if err != nil {
				record.Error = err.Error()
			}
			log.Printf("%s: %s, run %d: %v %v", record.Mirror, scenario, run+1, metrics, record.Error)
			records = append(records, record)
			if err := json.NewEncoder(file).Encode(record); err != nil {
				return records, err
			}
		}
	}
	return records, nil
}

func (b *Bench) run(ctx context.Context, scenario []string) (Metrics, error) {
	name, arguments := scenario[0], scenario[1:]
	if name == "floor" && len(arguments) == 3 {
		protocol := arguments[1]
		numbers, err := numbers(arguments[0], arguments[2])
		if err != nil {
			return nil, err
		}
		return b.Floor(ctx, int(numbers[0]), protocol, int(numbers[1]))
	}
	if len(b.mirror.Command) == 0 {
		return nil, errors.New("no command to run")
	}
	n, err := numbers(arguments...)
	if err != nil {
		return nil, err
	}
	switch shape := fmt.Sprint(name, " ", len(n)); shape {
	case "cold 1":
		return b.Cold(ctx, int(n[0]))
	case "restart 1":
		return b.Restart(ctx, int(n[0]))
	case "cut 1":
		return b.Cut(ctx, int(n[0]))
	case "hang 1":
		return b.Hang(ctx, int(n[0]))
	case "crash 1":
		return b.Crash(ctx, int(n[0]))
	case "noisy 3":
		return b.Noisy(ctx, n[0], seconds(n[1]), int(n[2]))
	case "steady 3":
		return b.Steady(ctx, n[0], seconds(n[1]), int(n[2]))
	case "churn 3":
		return b.Churn(ctx, n[0], seconds(n[1]), int(n[2]))
	}
	return nil, fmt.Errorf("no scenario %q", strings.Join(scenario, " "))
}

func numbers(texts ...string) ([]float64, error) {
	values := make([]float64, len(texts))
	for i, text := range texts {
		var err error
		if values[i], err = number(text); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

func load() float64 {
	var one float64
	text, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, _ = fmt.Sscan(string(text), &one)
	}
	return one
}

func table(records []Record) {
	writer := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	defer writer.Flush()
	for _, record := range records {
		fmt.Fprintf(writer, "%s\t%s\t%d", record.Mirror, record.Scenario, record.Run)
		names := make([]string, 0, len(record.Metrics))
		for name := range record.Metrics {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(writer, "\t%s %.4g", name, record.Metrics[name])
		}
		fmt.Fprintf(writer, "\t%s\n", record.Error)
	}
}
