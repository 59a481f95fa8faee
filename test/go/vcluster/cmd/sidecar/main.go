// Plays vcluster's side of the protocol with its sidecars (pkg/plugin/v1/plugin.go @ v0.36.1): a server that hands out
// its context, and for every hook a new connection and a deadline.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"vcluster/wire"
)

// process is the vcluster process; each unary method answers from it.
type process struct {
	context    *wire.Message
	registered chan *wire.Message
}

func main() {
	if len(os.Args) != 7 {
		fail(fmt.Errorf("usage: sidecar VIRTUAL_KUBECONFIG HOST_KUBECONFIG SYNCER_KUBECONFIG TARGET_NAMESPACE CURRENT_NAMESPACE OPTIONS"))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fail(err)
	vcluster := &process{context: wire.Texts(os.Args[1:]...), registered: make(chan *wire.Message, 100)}
	server := grpc.NewServer(grpc.ForceServerCodec(wire.Codec{}))
	server.RegisterService(vcluster.service(), vcluster)
	go func() { fail(server.Serve(listener)) }()
	fail(wire.Serve(func(command wire.Command) wire.Answer {
		started := time.Now()
		answer := vcluster.call(listener.Addr().String(), command)
		answer.TookMs = time.Since(started).Milliseconds()
		return answer
	}))
}

func (p *process) service() *grpc.ServiceDesc {
	leader := wire.Texts("", "run-of-a-test")
	leader.Flags[1] = true
	delete(leader.Texts, 1)
	return &grpc.ServiceDesc{
		ServiceName: "remote.VCluster",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{
			unary("GetContext", func(*wire.Message) *wire.Message { return p.context }),
			unary("IsLeader", func(*wire.Message) *wire.Message { return leader }),
			unary("RegisterPlugin", func(request *wire.Message) *wire.Message {
				p.registered <- request
				return wire.New()
			}),
		},
	}
}

func unary(name string, answer func(*wire.Message) *wire.Message) grpc.MethodDesc {
	handler := func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		request := wire.New()
		if err := decode(request); err != nil {
			return nil, err
		}
		return answer(request), nil
	}
	return grpc.MethodDesc{MethodName: name, Handler: handler}
}

func (p *process) call(address string, command wire.Command) wire.Answer {
	switch command.Call {
	case "Address":
		return wire.Answer{Config: address}
	case "Registered":
		registration := <-p.registered
		return wire.Answer{Config: registration.Texts[2], Object: registration.Texts[3]}
	case "Mutate":
		return mutate(command)
	}
	return wire.Answer{Error: "unknown call " + command.Call}
}

func mutate(command wire.Command) wire.Answer {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(command.TimeoutMs)*time.Millisecond)
	defer cancel()
	connection, err := grpc.NewClient(command.Address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return wire.Answer{Error: err.Error()}
	}
	defer connection.Close()
	request := wire.Texts(command.APIVersion, command.Kind, command.Object, command.Type)
	response := wire.New()
	if err := connection.Invoke(ctx, "/remote.Plugin/Mutate", request, response, grpc.ForceCodec(wire.Codec{})); err != nil {
		return wire.Answer{Error: err.Error()}
	}
	return wire.Answer{Object: response.Texts[1], Mutated: response.Flags[2]}
}

func fail(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}
