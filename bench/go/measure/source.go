package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const namespaces = 10

// Every object the harness makes says in its data which object it is and which version of it, so
// a copy is recognised whatever name the mirror gives it.
const (
	sourceKey  = "source"
	versionKey = "version"
	payloadKey = "payload"
)

// Source is the content of the virtual cluster.
type Source struct {
	cluster *Cluster
	payload int // bytes of data per object
	version atomic.Int64
	objects []string // "namespace/name", in the order in which a list shows them
}

// Lay makes the virtual cluster hold exactly n objects.
func (s *Source) Lay(ctx context.Context, n int) error {
	for i := range namespaces {
		if err := s.cluster.EnsureNamespace(ctx, fmt.Sprintf("bench-%d", i)); err != nil {
			return err
		}
	}
	s.objects = s.objects[:0]
	missing := map[string]bool{}
	for i := range namespaces {
		for j := i; j < n; j += namespaces {
			object := fmt.Sprintf("bench-%d/cm-%d-%06d", i, s.payload, j)
			s.objects = append(s.objects, object)
			missing[object] = true
		}
	}
	list, err := s.cluster.List(ctx, "")
	if err != nil {
		return err
	}
	var surplus []corev1.ConfigMap
	for _, item := range list.Items {
		object, version, ok := identity(&item)
		if !ok {
			continue
		}
		s.version.Store(max(s.version.Load(), version))
		if missing[object] {
			delete(missing, object)
		} else {
			surplus = append(surplus, item)
		}
	}
	if err := s.cluster.Delete(ctx, surplus); err != nil {
		return err
	}
	create := make([]string, 0, len(missing))
	for object := range missing {
		create = append(create, object)
	}
	return parallel(len(create), preparers, func(i int) error {
		_, err := s.Create(ctx, create[i])
		return err
	})
}

func (s *Source) Create(ctx context.Context, object string) (int64, error) {
	next := s.next(object)
	_, err := s.cluster.CoreV1().ConfigMaps(next.Namespace).Create(ctx, next, metav1.CreateOptions{})
	return versionOf(next), err
}

func (s *Source) Update(ctx context.Context, object string) (int64, error) {
	next := s.next(object)
	_, err := s.cluster.CoreV1().ConfigMaps(next.Namespace).Update(ctx, next, metav1.UpdateOptions{})
	return versionOf(next), err
}

func (s *Source) Delete(ctx context.Context, object string) error {
	namespace, name := split(object)
	return s.cluster.CoreV1().ConfigMaps(namespace).Delete(ctx, name, metav1.DeleteOptions{})
}

// next is the object with a version it never had and content that belongs to it.
func (s *Source) next(object string) *corev1.ConfigMap {
	return content(object, s.version.Add(1), s.payload)
}

func content(object string, version int64, payload int) *corev1.ConfigMap {
	namespace, name := split(object)
	var seed [32]byte
	copy(seed[:], strconv.FormatInt(version, 10))
	// The names and the version take 32 bytes; two hexadecimal digits stand for a random byte.
	random := make([]byte, max(payload-32, 2)/2)
	_, _ = rand.NewChaCha8(seed).Read(random)
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Data: map[string]string{
			sourceKey:  object,
			versionKey: strconv.FormatInt(version, 10),
			payloadKey: hex.EncodeToString(random),
		},
	}
}

// identity says which object a ConfigMap of either cluster is, and which version of it.
func identity(item *corev1.ConfigMap) (object string, version int64, ok bool) {
	object, ok = item.Data[sourceKey]
	return object, versionOf(item), ok
}

func versionOf(item *corev1.ConfigMap) int64 {
	version, _ := strconv.ParseInt(item.Data[versionKey], 10, 64)
	return version
}
