// Starts a plugin as vcluster does (pkg/plugin/v2/plugin.go @ v0.36.1), by the same library, and calls it as told on
// standard input.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"vcluster/wire"
)

type connected struct{ plugin.NetRPCUnsupportedPlugin }

func (connected) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return fmt.Errorf("this is the calling side")
}

func (connected) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, connection *grpc.ClientConn) (any, error) {
	return connection, nil
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: in-syncer PLUGIN"))
	}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  1,
			MagicCookieKey:   "VCLUSTER_PLUGIN",
			MagicCookieValue: "vcluster",
		},
		Plugins:          map[string]plugin.Plugin{"plugin": connected{}},
		Cmd:              exec.Command(os.Args[1]),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           hclog.New(&hclog.LoggerOptions{Name: "plugin", Output: os.Stdout, Level: hclog.Info}),
		SyncStdout:       os.Stdout,
		SyncStderr:       os.Stderr,
	})
	protocol, err := client.Client()
	fail(err)
	dispensed, err := protocol.Dispense("plugin")
	fail(err)
	fail(wire.Serve(func(command wire.Command) wire.Answer {
		started := time.Now()
		answer := call(client, protocol, dispensed.(*grpc.ClientConn), command)
		answer.TookMs = time.Since(started).Milliseconds()
		return answer
	}))
}

func call(client *plugin.Client, protocol plugin.ClientProtocol, connection *grpc.ClientConn, command wire.Command) wire.Answer {
	switch command.Call {
	case "Initialize":
		return invoke(connection, command, wire.Texts(command.Config))
	case "GetPluginConfig":
		return invoke(connection, command, wire.New())
	case "SetLeader":
		return invoke(connection, command, wire.New())
	case "Mutate":
		return invoke(connection, command, wire.Texts(command.APIVersion, command.Kind, command.Object, command.Type))
	case "Ping":
		return failed(protocol.Ping())
	case "Exited":
		for !client.Exited() {
			time.Sleep(10 * time.Millisecond)
		}
		return wire.Answer{}
	case "Kill":
		client.Kill()
		return wire.Answer{}
	}
	return failed(fmt.Errorf("unknown call %s", command.Call))
}

func invoke(connection *grpc.ClientConn, command wire.Command, request *wire.Message) wire.Answer {
	ctx := context.Background()
	if command.TimeoutMs > 0 {
		withDeadline, cancel := context.WithTimeout(ctx, time.Duration(command.TimeoutMs)*time.Millisecond)
		defer cancel()
		ctx = withDeadline
	}
	response := wire.New()
	if err := connection.Invoke(ctx, "/pluginv2.Plugin/"+command.Call, request, response, grpc.ForceCodec(wire.Codec{})); err != nil {
		return failed(err)
	}
	return wire.Answer{Config: response.Texts[1], Object: response.Texts[1], Mutated: response.Flags[2]}
}

func failed(err error) wire.Answer {
	if err == nil {
		return wire.Answer{}
	}
	return wire.Answer{Error: err.Error()}
}

func fail(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}
