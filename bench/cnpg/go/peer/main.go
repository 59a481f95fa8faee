// peer is the plugin of examples/cnpg-hello-world with the Go helper library: the same hook for Pods, and nothing else.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/cloudnative-pg/cnpg-i-machinery/pkg/pluginhelper/common"
	"github.com/cloudnative-pg/cnpg-i-machinery/pkg/pluginhelper/decoder"
	"github.com/cloudnative-pg/cnpg-i-machinery/pkg/pluginhelper/http"
	"github.com/cloudnative-pg/cnpg-i-machinery/pkg/pluginhelper/object"
	"github.com/cloudnative-pg/cnpg-i/pkg/identity"
	"github.com/cloudnative-pg/cnpg-i/pkg/lifecycle"
	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
)

const name = "hello-world.example.org"

type identityServer struct {
	identity.UnimplementedIdentityServer
}

func (identityServer) GetPluginMetadata(
	context.Context, *identity.GetPluginMetadataRequest,
) (*identity.GetPluginMetadataResponse, error) {
	return &identity.GetPluginMetadataResponse{Name: name, Version: "0.1.0"}, nil
}

func (identityServer) GetPluginCapabilities(
	context.Context, *identity.GetPluginCapabilitiesRequest,
) (*identity.GetPluginCapabilitiesResponse, error) {
	service := &identity.PluginCapability_Service{Type: identity.PluginCapability_Service_TYPE_LIFECYCLE_SERVICE}
	capability := &identity.PluginCapability{Type: &identity.PluginCapability_Service_{Service: service}}
	return &identity.GetPluginCapabilitiesResponse{Capabilities: []*identity.PluginCapability{capability}}, nil
}

func (identityServer) Probe(context.Context, *identity.ProbeRequest) (*identity.ProbeResponse, error) {
	return &identity.ProbeResponse{Ready: true}, nil
}

type lifecycleServer struct {
	lifecycle.UnimplementedOperatorLifecycleServer
}

func (lifecycleServer) GetCapabilities(
	context.Context, *lifecycle.OperatorLifecycleCapabilitiesRequest,
) (*lifecycle.OperatorLifecycleCapabilitiesResponse, error) {
	verbs := []*lifecycle.OperatorOperationType{
		{Type: lifecycle.OperatorOperationType_TYPE_CREATE}, {Type: lifecycle.OperatorOperationType_TYPE_EVALUATE},
	}
	pods := &lifecycle.OperatorLifecycleCapabilities{Kind: "Pod", OperationTypes: verbs}
	return &lifecycle.OperatorLifecycleCapabilitiesResponse{
		LifecycleCapabilities: []*lifecycle.OperatorLifecycleCapabilities{pods},
	}, nil
}

func (lifecycleServer) LifecycleHook(
	_ context.Context, request *lifecycle.OperatorLifecycleRequest,
) (*lifecycle.OperatorLifecycleResponse, error) {
	cluster, err := decoder.DecodeClusterLenient(request.GetClusterDefinition())
	if err != nil {
		return nil, err
	}
	labels, err := texts(common.NewPlugin(*cluster, name).Parameters, "labels")
	if err != nil {
		return nil, err
	}
	annotations, err := texts(common.NewPlugin(*cluster, name).Parameters, "annotations")
	if err != nil {
		return nil, err
	}
	pod, err := decoder.DecodePodJSON(request.GetObjectDefinition())
	if err != nil {
		return nil, err
	}
	mutated := pod.DeepCopy()
	always := corev1.ContainerRestartPolicyAlways
	pauser := corev1.Container{Name: "pauser", Image: "registry.k8s.io/pause:3.10", RestartPolicy: &always}
	if err := object.InjectPluginSidecar(mutated, &pauser, false); err != nil {
		return nil, err
	}
	mutated.Labels = merged(mutated.Labels, labels)
	mutated.Annotations = merged(mutated.Annotations, annotations)
	patch, err := object.CreatePatch(mutated, pod)
	if err != nil {
		return nil, err
	}
	return &lifecycle.OperatorLifecycleResponse{JsonPatch: patch}, nil
}

// texts reads a parameter that holds a JSON object of texts.
func texts(parameters map[string]string, parameter string) (map[string]string, error) {
	text := parameters[parameter]
	if text == "" {
		return map[string]string{"plugin-metadata": "default"}, nil
	}
	var values map[string]string
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", parameter, err)
	}
	return values, nil
}

func merged(into, from map[string]string) map[string]string {
	if into == nil {
		into = map[string]string{}
	}
	for key, value := range from {
		into[key] = value
	}
	return into
}

func main() {
	command := http.CreateMainCmd(identityServer{}, func(server *grpc.Server) error {
		lifecycle.RegisterOperatorLifecycleServer(server, lifecycleServer{})
		return nil
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
