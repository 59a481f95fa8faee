// deleter writes and deletes objects with every client that programs in Go use, and prints what each call came to.
// Typed clients send protobuf, also the options of a delete.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// caller is one kind of client, reduced to what is tried with it.
type caller struct {
	name             string
	create           func(context.Context, client.Object) error
	delete           func(context.Context, client.Object, *meta.DeleteOptions) error
	deleteCollection func(context.Context, string, *meta.DeleteOptions) error
	names            func(context.Context) (string, error)
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	namespace := os.Getenv("NAMESPACE")
	inProtobuf := rest.CopyConfig(config)
	inProtobuf.ContentType = runtime.ContentTypeProtobuf
	inJSON := rest.CopyConfig(config)
	inJSON.ContentType = runtime.ContentTypeJSON
	for _, each := range []caller{
		typed("client-go", config, namespace),
		typed("client-go in protobuf", inProtobuf, namespace),
		typed("client-go in JSON", inJSON, namespace),
		controllerRuntime("controller-runtime", config, namespace),
		controllerRuntime("controller-runtime in protobuf", inProtobuf, namespace),
	} {
		try(each, namespace)
	}
}

func typed(name string, config *rest.Config, namespace string) caller {
	clients, err := kubernetes.NewForConfig(config)
	must(err)
	configMaps, deployments := clients.CoreV1().ConfigMaps(namespace), clients.AppsV1().Deployments(namespace)
	return caller{
		name: name,
		create: func(ctx context.Context, object client.Object) (err error) {
			switch object := object.(type) {
			case *core.ConfigMap:
				var made *core.ConfigMap
				if made, err = configMaps.Create(ctx, object, meta.CreateOptions{}); err == nil {
					made.DeepCopyInto(object)
				}
			case *apps.Deployment:
				_, err = deployments.Create(ctx, object, meta.CreateOptions{})
			}
			return err
		},
		delete: func(ctx context.Context, object client.Object, options *meta.DeleteOptions) error {
			if _, ok := object.(*apps.Deployment); ok {
				return deployments.Delete(ctx, object.GetName(), *options)
			}
			return configMaps.Delete(ctx, object.GetName(), *options)
		},
		deleteCollection: func(ctx context.Context, label string, options *meta.DeleteOptions) error {
			return configMaps.DeleteCollection(ctx, *options, meta.ListOptions{LabelSelector: label})
		},
		names: func(ctx context.Context) (string, error) {
			found, err := configMaps.List(ctx, meta.ListOptions{LabelSelector: "tried"})
			return namesOf(found), err
		},
	}
}

func controllerRuntime(name string, config *rest.Config, namespace string) caller {
	all, err := client.New(config, client.Options{})
	must(err)
	return caller{
		name: name,
		create: func(ctx context.Context, object client.Object) error {
			return all.Create(ctx, object)
		},
		delete: func(ctx context.Context, object client.Object, options *meta.DeleteOptions) error {
			return all.Delete(ctx, object, &client.DeleteOptions{
				Preconditions: options.Preconditions, PropagationPolicy: options.PropagationPolicy, DryRun: options.DryRun,
			})
		},
		deleteCollection: func(ctx context.Context, label string, options *meta.DeleteOptions) error {
			return all.DeleteAllOf(ctx, &core.ConfigMap{}, client.InNamespace(namespace), client.HasLabels{label},
				&client.DeleteAllOfOptions{DeleteOptions: client.DeleteOptions{DryRun: options.DryRun}})
		},
		names: func(ctx context.Context) (string, error) {
			found := &core.ConfigMapList{}
			err := all.List(ctx, found, client.InNamespace(namespace), client.HasLabels{"tried"})
			return namesOf(found), err
		},
	}
}

// try deletes one by one and all at once, for good and in a dry run, and under a precondition that does not hold.
func try(with caller, namespace string) {
	ctx := context.Background()
	tell := func(what string, err error) { fmt.Printf("%s: %s: %s\n", with.name, what, told(err)) }
	tellNames := func() {
		found, err := with.names(ctx)
		tell("there are ["+found+"]", err)
	}
	foreground, other := meta.DeletePropagationForeground, types.UID("another")
	one, two := configMap(namespace, "one"), configMap(namespace, "two")
	tell("create one", with.create(ctx, one))
	tell("create two", with.create(ctx, two))
	// One for each client: without a garbage collector an object that is deleted in the foreground stays.
	workload := deployment(namespace, strings.ToLower(strings.ReplaceAll(with.name, " ", "-")))
	tell("create a deployment", with.create(ctx, workload))
	tell("delete another one", with.delete(ctx, one, &meta.DeleteOptions{Preconditions: &meta.Preconditions{UID: &other}}))
	tell("delete in a dry run", with.delete(ctx, one, &meta.DeleteOptions{DryRun: []string{meta.DryRunAll}}))
	tell("delete all in a dry run", with.deleteCollection(ctx, "tried", &meta.DeleteOptions{DryRun: []string{meta.DryRunAll}}))
	tellNames()
	uid := one.GetUID()
	tell("delete one", with.delete(ctx, one, &meta.DeleteOptions{Preconditions: &meta.Preconditions{UID: &uid}}))
	tellNames()
	tell("delete all", with.deleteCollection(ctx, "tried", &meta.DeleteOptions{}))
	tellNames()
	tell("delete what is gone", with.delete(ctx, two, &meta.DeleteOptions{}))
	tell("delete the deployment", with.delete(ctx, workload, &meta.DeleteOptions{PropagationPolicy: &foreground}))
}

func configMap(namespace, name string) *core.ConfigMap {
	return &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"tried": ""}}}
}

func deployment(namespace, name string) *apps.Deployment {
	labels := map[string]string{"app": "a"}
	return &apps.Deployment{
		ObjectMeta: meta.ObjectMeta{Namespace: namespace, Name: name},
		Spec: apps.DeploymentSpec{
			Selector: &meta.LabelSelector{MatchLabels: labels},
			Template: core.PodTemplateSpec{
				ObjectMeta: meta.ObjectMeta{Labels: labels},
				Spec:       core.PodSpec{Containers: []core.Container{{Name: "c", Image: "i"}}},
			},
		},
	}
}

func namesOf(list any) string {
	names := ""
	for _, each := range list.(*core.ConfigMapList).Items {
		names += " " + each.Name
	}
	if names == "" {
		return ""
	}
	return names[1:]
}

func told(err error) string {
	if err == nil {
		return "ok"
	}
	return string(apierrors.ReasonForError(err))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
