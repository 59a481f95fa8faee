package operator

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cloudnative-pg/cnpg-i/pkg/lifecycle"
	"github.com/cloudnative-pg/cnpg-i/pkg/operator"
	"github.com/cloudnative-pg/cnpg-i/pkg/postgres"
	"github.com/cloudnative-pg/cnpg-i/pkg/reconciler"
	"github.com/cloudnative-pg/cnpg-i/pkg/wal"
)

const (
	cluster = `{"apiVersion":"postgresql.cnpg.io/v1","kind":"Cluster","metadata":{"name":"c","namespace":"n"},"spec":{"instances":1}}`
	pod     = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"c-1","labels":{"a":"b"}},"spec":{"containers":[{"name":"postgres"}]}}`
	addsX   = `[{"op":"add","path":"/metadata/labels/x","value":"y"}]`
)

func use(t *testing.T, plays *Operator, ask func(context.Context, *Plugin) error) error {
	t.Helper()
	return plays.Use(t.Context(), func(p *Plugin) error { return ask(t.Context(), p) })
}

func must(t *testing.T, plays *Operator, ask func(context.Context, *Plugin) error) {
	t.Helper()
	if err := use(t, plays, ask); err != nil {
		t.Fatal(err)
	}
}

func fails(t *testing.T, err error, with string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), with) {
		t.Fatalf("want %q, got %v", with, err)
	}
}

func TestLoadsInOrder(t *testing.T) {
	plays := newFake().atSocket(t)
	for range 2 {
		must(t, plays, func(_ context.Context, p *Plugin) error {
			report, err := p.Report()
			if report.PluginStatus["name"] != "fake.example.org" || len(report.Capabilities) != 10 || !report.Ready {
				t.Errorf("%+v", report)
			}
			return err
		})
	}
	var methods []string
	for _, call := range plays.Trace.Take() {
		methods = append(methods, strings.TrimPrefix(call.Method, "/cnpgi."))
	}
	want := []string{
		"identity.v1.Identity/GetPluginMetadata", "identity.v1.Identity/GetPluginCapabilities", "operator.v1.Operator/GetCapabilities",
		"operator_lifecycle.v1.OperatorLifecycle/GetCapabilities", "wal.v1.WAL/GetCapabilities", "backup.v1.Backup/GetCapabilities",
		"reconciler.v1.ReconcilerHooks/GetCapabilities", "wal.v1.RestoreJobHooks/GetCapabilities",
		"identity.v1.Postgres/GetCapabilities", "metrics.v1.Metrics/GetCapabilities", "identity.v1.Identity/Probe", "identity.v1.Identity/Probe",
	}
	if !slices.Equal(methods, want) {
		t.Errorf("%q", methods)
	}
}

func TestMutualTLS(t *testing.T) {
	target := newFake().atPort(t)
	nothing := func(context.Context, *Plugin) error { return nil }
	must(t, New(target), nothing)

	other := target
	other.ServerName = "other"
	fails(t, use(t, New(other), nothing), "not other")

	unknown := selfSigned(t, "unknown", x509.ExtKeyUsageClientAuth)
	other = target
	other.ClientCert, other.ClientKey = unknown.cert, unknown.key
	// Go's client keeps a certificate to itself that the server does not ask for. In TLS 1.3 it may learn of the refusal
	// ("certificate required") only after it has begun to write ("broken pipe").
	fails(t, use(t, New(other), nothing), "Unavailable")

	other = target
	other.ServerCert = unknown.cert
	fails(t, use(t, New(other), nothing), "unknown authority")
}

func TestHookIsGatedAndPatchApplied(t *testing.T) {
	f := newFake()
	f.hook = func(*lifecycle.OperatorLifecycleRequest) ([]byte, error) { return []byte(addsX), nil }
	plays := f.atSocket(t)
	create, update := lifecycle.OperatorOperationType_TYPE_CREATE, lifecycle.OperatorOperationType_TYPE_UPDATE
	must(t, plays, func(ctx context.Context, p *Plugin) error {
		made, err := p.Hook(ctx, create, []byte(cluster), []byte(pod))
		if made.Called != 1 || !made.Changed || !strings.Contains(string(made.Object), `"x":"y"`) {
			t.Errorf("%+v", made)
		}
		none, _ := p.Hook(ctx, update, []byte(cluster), []byte(pod))
		job, _ := p.Hook(ctx, create, []byte(cluster), []byte(`{"apiVersion":"batch/v1","kind":"Pod"}`))
		if none.Called != 0 || job.Called != 0 {
			t.Error("asked for what is not declared")
		}
		_, err2 := p.Hook(ctx, create, []byte(cluster), []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{}}`))
		fails(t, err2, "while applying JSON patch from plugin")
		return err
	})
}

func TestHookThatIsDeclaredTwiceIsAskedTwice(t *testing.T) {
	f := newFake()
	f.lifecycle = append(f.lifecycle, f.lifecycle...)
	must(t, f.atSocket(t), func(ctx context.Context, p *Plugin) error {
		made, err := p.Hook(ctx, lifecycle.OperatorOperationType_TYPE_CREATE, []byte(cluster), []byte(pod))
		if made.Called != 2 || made.Changed {
			t.Errorf("%+v", made)
		}
		report, _ := p.Report()
		if !slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "/Pod TYPE_CREATE twice") }) {
			t.Errorf("%q", report.Warnings)
		}
		return err
	})
}

func TestClusterCannotBePatched(t *testing.T) {
	f := newFake()
	f.lifecycle = []*lifecycle.OperatorLifecycleCapabilities{{
		Group: "postgresql.cnpg.io", Kind: "Cluster",
		OperationTypes: []*lifecycle.OperatorOperationType{{Type: lifecycle.OperatorOperationType_TYPE_PATCH}},
	}}
	f.hook = func(*lifecycle.OperatorLifecycleRequest) ([]byte, error) {
		return []byte(`[{"op":"add","path":"/spec/x","value":1}]`), nil
	}
	fails(t, use(t, f.atSocket(t), func(ctx context.Context, p *Plugin) error {
		_, err := p.Hook(ctx, lifecycle.OperatorOperationType_TYPE_PATCH, []byte(cluster), []byte(cluster))
		return err
	}), `no kind "Cluster" is registered`)
}

func TestInstance(t *testing.T) {
	f, calls := newFake(), 0
	for _, one := range []struct {
		hook                      func(*lifecycle.OperatorLifecycleRequest) ([]byte, error)
		deterministic, idempotent bool
		rollout                   string
	}{
		{func(*lifecycle.OperatorLifecycleRequest) ([]byte, error) { return []byte(addsX), nil }, true, true, ""},
		{func(*lifecycle.OperatorLifecycleRequest) ([]byte, error) {
			return []byte(`[{"op":"add","path":"/spec/containers/-","value":{"name":"more"}}]`), nil
		}, true, false, ""},
		{func(*lifecycle.OperatorLifecycleRequest) ([]byte, error) {
			calls++
			return fmt.Appendf(nil, `[{"op":"add","path":"/spec/hostname","value":"h%d"}]`, calls), nil
		}, false, false, "original and target PodSpec differ in hostname"},
	} {
		f.hook = one.hook
		must(t, f.atSocket(t), func(ctx context.Context, p *Plugin) error {
			made, err := p.Instance(ctx, []byte(cluster), []byte(pod))
			if made.Deterministic != one.deterministic || made.Idempotent != one.idempotent || made.Rollout != one.rollout {
				t.Errorf("%+v", made)
			}
			if err == nil && !strings.Contains(string(made.Created.Object), "cnpg.io/podSpec") {
				t.Errorf("no spec in %s", made.Created.Object)
			}
			return err
		})
	}
}

func TestMutateAndValidate(t *testing.T) {
	f := newFake()
	f.mutate = `[{"op":"replace","path":"/spec/instances","value":3}]`
	f.refused = []*operator.ValidationError{{PathComponents: []string{"spec", "plugins", "0"}, Value: "v", Message: "bad"}}
	plays := f.atSocket(t)
	must(t, plays, func(ctx context.Context, p *Plugin) error {
		mutated, err := p.MutateCluster(ctx, []byte(cluster))
		if !strings.Contains(string(mutated.Object), `"instances":3`) {
			t.Errorf("%s", mutated.Object)
		}
		refused, _ := p.ValidateChange(ctx, []byte(cluster), []byte(cluster))
		if len(refused) != 1 || refused[0].Text != `spec.plugins.0: Invalid value: "v": bad` {
			t.Errorf("%+v", refused)
		}
		f.refused = []*operator.ValidationError{{Message: "no path"}}
		_, panicked := p.ValidateCreate(ctx, []byte(cluster))
		fails(t, panicked, "the operator would panic: validation error 0 has no path")
		return err
	})
}

func TestUntypedCapabilityIsToldAtOnce(t *testing.T) {
	f := newFake()
	f.untyped = true
	plays := f.atSocket(t)
	fails(t, use(t, plays, nil), "the operator would panic: plugin capability 0 has no type set")
	if calls := plays.Trace.Take(); len(calls) != 2 {
		t.Errorf("%v", calls)
	}
}

func TestStatus(t *testing.T) {
	f := newFake()
	plays := f.atSocket(t)
	for status, want := range map[string]string{"": "null", `{"a": 1}`: `"{\"a\": 1}"`, "{}": `"{}"`, "[1]": "invalid json", `"x"`: "invalid json"} {
		f.status = status
		must(t, plays, func(ctx context.Context, p *Plugin) error {
			told, err := p.SetStatus(ctx, []byte(cluster))
			text, _ := json.Marshal(told)
			if err != nil {
				text = []byte(err.Error())
			}
			if !strings.HasPrefix(string(text), want) {
				t.Errorf("%s: %s", status, text)
			}
			return nil
		})
	}
}

func TestReconcile(t *testing.T) {
	f := newFake()
	plays := f.atSocket(t)
	for behavior, want := range map[reconciler.ReconcilerHooksResult_Behavior]Verdict{
		1: {true, "BEHAVIOR_CONTINUE", false, ""}, 2: {true, "BEHAVIOR_REQUEUE", true, "7s"}, 3: {true, "BEHAVIOR_TERMINATE", true, ""},
		0: {true, "BEHAVIOR_UNSPECIFIED", false, ""},
	} {
		f.behavior = behavior
		must(t, plays, func(ctx context.Context, p *Plugin) error {
			told, err := p.Reconcile(ctx, false, []byte(cluster), []byte(cluster))
			if told != want {
				t.Errorf("%+v", told)
			}
			return err
		})
	}
	must(t, plays, func(ctx context.Context, p *Plugin) error {
		told, err := p.Reconcile(ctx, true, []byte(cluster), []byte(`{"kind":"Backup"}`))
		if told.Called {
			t.Error("asked about a Backup without KIND_BACKUP")
		}
		return err
	})
}

func TestInsideInstances(t *testing.T) {
	must(t, newFake().atSocket(t), func(ctx context.Context, p *Plugin) error {
		c, yes := []byte(cluster), true
		config, err1 := p.Enrich(ctx, c, map[string]string{"a": "b"}, postgres.OperationType_TYPE_INIT)
		kept, err2 := p.Enrich(ctx, c, map[string]string{"a": "b"}, postgres.OperationType_TYPE_RECONCILE)
		done, err3 := p.Archive(ctx, c, "000000010000000000000001", &yes)
		_, unimplemented := p.RestoreWAL(ctx, c, "a", "b", wal.WALRestoreRequest_MODE_REWIND)
		made, err4 := p.MakeBackup(ctx, c, []byte(`{}`), map[string]string{"id": "7"})
		restored, err5 := p.Restore(ctx, c, nil)
		samples, err6 := p.Scrape(ctx, c)
		fails(t, unimplemented, "Unimplemented")
		if config["a"] != "b!" || kept["a"] != "b" || !done || made.GetBackupId() != "7" || restored.GetEnvs()[0] != "A=b" {
			t.Error(config, kept, done, made, restored)
		}
		if len(samples) != 1 || samples[0].Labels["colour"] != "red" || samples[0].Labels["of"] != "fake" || samples[0].Value != 3 {
			t.Errorf("%+v", samples)
		}
		return errors.Join(err1, err2, err3, err4, err5, err6)
	})
}

func TestRaw(t *testing.T) {
	f := newFake()
	f.mutate = addsX
	must(t, f.atSocket(t), func(ctx context.Context, p *Plugin) error {
		for _, method := range []string{"Operator/MutateCluster", "/cnpgi.operator.v1.Operator/MutateCluster"} {
			told, err := p.Raw(ctx, method, json.RawMessage(`{"definition":`+cluster+`}`))
			if err != nil || string(told) != `{"jsonPatch":`+addsX+`}` {
				t.Errorf("%s %v", told, err)
			}
		}
		_, err := p.Raw(ctx, "WAL/Nothing", nil)
		fails(t, err, `no method "WAL/Nothing"`)
		return nil
	})
}

func TestPluginThatStartsAgain(t *testing.T) {
	f, socket := newFake(), filepath.Join(t.TempDir(), "s")
	plays := New(Target{Socket: socket})
	nothing := func(context.Context, *Plugin) error { return nil }
	for range 2 {
		listener, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		server := f.serve(t, listener)
		must(t, plays, nothing)
		server.Stop()
		fails(t, use(t, plays, nothing), "while getting plugin connection")
	}
}

func TestReadyIsNotLookedAt(t *testing.T) {
	f := newFake()
	f.ready = false
	plays := f.atSocket(t)
	must(t, plays, func(_ context.Context, p *Plugin) error {
		report, err := p.Report()
		if report.Ready || !slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "not ready") }) {
			t.Errorf("%+v", report)
		}
		return err
	})
	f.probeErr = errors.New("still starting")
	fails(t, use(t, plays, nil), "still starting")
}
