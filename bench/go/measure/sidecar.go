package main

import (
	"bytes"
	"encoding/json"
	"net"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
)

// Workplace describes the environment of a mirror.
type Workplace struct {
	Name                              string
	TargetNamespace                   string
	SidecarAddress                    string
	VirtualKubeconfig, HostKubeconfig []byte
}

// Sidecar plays the part of the vcluster process for sidecar plugins: the service remote.VCluster.
// Its messages have only string and bool fields, so they are written by hand here.
type Sidecar struct {
	mu         sync.Mutex
	workplace  *Workplace
	registered bool
	Address    string // where it listens
}

// Use sets the environment of the next mirror. A mirror becomes leader once it has registered.
func (s *Sidecar) Use(w *Workplace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workplace, s.registered = w, false
}

func (s *Sidecar) Serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Address = listener.Addr().String()
	server := grpc.NewServer(grpc.ForceServerCodec(verbatim{}), grpc.UnknownServiceHandler(s.handle))
	go func() { _ = server.Serve(listener) }()
	return nil
}

func (s *Sidecar) handle(_ any, stream grpc.ServerStream) error {
	var request []byte
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var reply []byte
	switch method, _ := grpc.MethodFromServerStream(stream); method {
	case "/remote.VCluster/GetContext":
		reply = s.context()
	case "/remote.VCluster/Register":
		s.registered = true
		reply = s.context()
	case "/remote.VCluster/RegisterPlugin":
		s.registered = true
	case "/remote.VCluster/IsLeader":
		reply = protowire.AppendTag(reply, 1, protowire.VarintType)
		reply = protowire.AppendVarint(reply, protowire.EncodeBool(s.registered))
		reply = appendString(reply, 2, "measuremeasu")
	default:
		return status.Errorf(codes.Unimplemented, "unknown method %s", method)
	}
	return stream.SendMsg(&reply)
}

func (s *Sidecar) context() []byte {
	options, _ := json.Marshal(map[string]any{
		"name":            s.workplace.Name,
		"serviceName":     s.workplace.Name,
		"targetNamespace": s.workplace.TargetNamespace,
	})
	var reply []byte
	for i, field := range []string{
		string(s.workplace.VirtualKubeconfig),
		string(s.workplace.HostKubeconfig),
		string(s.workplace.VirtualKubeconfig), // no proxy before the virtual API server here
		s.workplace.TargetNamespace,
		s.workplace.TargetNamespace, // the namespace vcluster itself would run in
		string(options),
	} {
		reply = appendString(reply, protowire.Number(i+1), field)
	}
	return reply
}

func appendString(message []byte, number protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(message, number, protowire.BytesType), value)
}

// verbatim hands gRPC the bytes of a message as they are.
type verbatim struct{}

func (verbatim) Name() string                  { return "proto" }
func (verbatim) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (verbatim) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = bytes.Clone(data)
	return nil
}
