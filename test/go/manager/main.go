// Command manager is a controller on controller-runtime for the kind Greeting of example.com/v1: it applies a
// ConfigMap for each by server-side apply, says so in its status, and leaves another behind by a finalizer. Two
// of them elect a leader.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "example.com/farewell"

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	lease, renew, retry := 10*time.Second, 8*time.Second, 500*time.Millisecond
	namespace := os.Getenv("NAMESPACE")
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Metrics:                       metrics.Options{BindAddress: "0"},
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection:                true,
		LeaderElectionID:              "manager",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &lease,
		RenewDeadline:                 &renew,
		RetryPeriod:                   &retry,
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		Named("greeting").
		For(newGreeting()).
		Owns(&corev1.ConfigMap{}).
		Complete(&greeter{Client: manager.GetClient()})
	if err != nil {
		return err
	}
	go func() {
		<-manager.Elected()
		fmt.Println("leading")
	}()
	return manager.Start(ctrl.SetupSignalHandler())
}

func newGreeting() *unstructured.Unstructured {
	greeting := &unstructured.Unstructured{}
	greeting.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Greeting"})
	return greeting
}

type greeter struct{ client.Client }

func (g *greeter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	greeting := newGreeting()
	if err := g.Get(ctx, request.NamespacedName, greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !greeting.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, g.leave(ctx, greeting)
	}
	if controllerutil.AddFinalizer(greeting, finalizer) {
		return ctrl.Result{}, g.Update(ctx, greeting)
	}
	text, _, _ := unstructured.NestedString(greeting.Object, "spec", "text")
	if err := g.apply(ctx, greeting, text); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, g.report(ctx, greeting, text)
}

// apply makes the greeting's ConfigMap say its text; what others add to it stays.
func (g *greeter) apply(ctx context.Context, greeting *unstructured.Unstructured, text string) error {
	owner := metav1ac.OwnerReference().
		WithAPIVersion(greeting.GetAPIVersion()).
		WithKind(greeting.GetKind()).
		WithName(greeting.GetName()).
		WithUID(greeting.GetUID()).
		WithController(true)
	configMap := corev1ac.ConfigMap(greeting.GetName(), greeting.GetNamespace()).
		WithOwnerReferences(owner).
		WithData(map[string]string{"text": text})
	return g.Apply(ctx, configMap, client.FieldOwner("greeter"), client.ForceOwnership)
}

func (g *greeter) report(ctx context.Context, greeting *unstructured.Unstructured, text string) error {
	before := greeting.DeepCopy()
	if err := unstructured.SetNestedField(greeting.Object, text, "status", "applied"); err != nil {
		return err
	}
	return g.Status().Patch(ctx, greeting, client.MergeFrom(before))
}

// leave says farewell, and only then lets the greeting go.
func (g *greeter) leave(ctx context.Context, greeting *unstructured.Unstructured) error {
	farewell := &corev1.ConfigMap{}
	farewell.Name, farewell.Namespace = "farewell-"+greeting.GetName(), greeting.GetNamespace()
	if err := client.IgnoreAlreadyExists(g.Create(ctx, farewell)); err != nil {
		return err
	}
	before := greeting.DeepCopy()
	controllerutil.RemoveFinalizer(greeting, finalizer)
	return client.IgnoreNotFound(g.Patch(ctx, greeting, client.MergeFrom(before)))
}
