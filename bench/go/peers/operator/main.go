// Command operator reconciles Backups with sigs.k8s.io/controller-runtime: a Deployment and a status for each.
package main

import (
	"context"
	"flag"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// BackupSpec is what users want.
type BackupSpec struct {
	Size int32 `json:"size"`
}

// BackupStatus is what the operator made of it.
type BackupStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Backup wants a Deployment of so many replicas.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BackupSpec   `json:"spec"`
	Status            BackupStatus `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (b *Backup) DeepCopyObject() runtime.Object {
	result := *b
	b.ObjectMeta.DeepCopyInto(&result.ObjectMeta)
	result.Status.Conditions = append([]metav1.Condition(nil), b.Status.Conditions...)
	return &result
}

// BackupList is a list of Backups.
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Backup `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (l *BackupList) DeepCopyObject() runtime.Object {
	result := *l
	l.ListMeta.DeepCopyInto(&result.ListMeta)
	result.Items = make([]Backup, len(l.Items))
	for i := range l.Items {
		result.Items[i] = *l.Items[i].DeepCopyObject().(*Backup)
	}
	return &result
}

func main() {
	workers := flag.Int("workers", 1, "how many objects are reconciled at a time")
	qps := flag.Float64("qps", 0, "client rate limit with twice that burst; 0 keeps the library's, below 0 is none")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(*workers, float32(*qps)); err != nil {
		ctrl.Log.Error(err, "operator ended")
		os.Exit(1)
	}
}

func run(workers int, qps float32) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.QPS, config.Burst = qps, int(2*qps)
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	version := schema.GroupVersion{Group: "bench.my.domain", Version: "v1"}
	scheme.AddKnownTypes(version, &Backup{}, &BackupList{})
	metav1.AddToGroupVersion(scheme, version)
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: metrics.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Backup{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{client: manager.GetClient(), scheme: scheme})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

type reconciler struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var backup Backup
	if err := r.client.Get(ctx, request.NamespacedName, &backup); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !backup.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: backup.Namespace, Name: backup.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, deployment, func() error {
		want(deployment, &backup)
		return controllerutil.SetControllerReference(&backup, deployment, r.scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	before := backup.DeepCopyObject().(*Backup)
	ready := metav1.ConditionFalse
	if deployment.Status.ReadyReplicas == backup.Spec.Size {
		ready = metav1.ConditionTrue
	}
	backup.Status.ObservedGeneration = backup.Generation
	meta.SetStatusCondition(&backup.Status.Conditions, metav1.Condition{
		Type: "Available", Status: ready, Reason: "DeploymentReady", ObservedGeneration: backup.Generation,
	})
	if equality.Semantic.DeepEqual(before.Status, backup.Status) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.client.Status().Patch(ctx, &backup, client.MergeFrom(before))
}

// want sets the fields that the operator decides, and keeps the defaults of the others.
func want(deployment *appsv1.Deployment, backup *Backup) {
	labels := map[string]string{"backup": backup.Name}
	spec := &deployment.Spec
	spec.Replicas = &backup.Spec.Size
	spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	spec.Template.Labels = labels
	if len(spec.Template.Spec.Containers) != 1 {
		spec.Template.Spec.Containers = make([]corev1.Container, 1)
	}
	container := &spec.Template.Spec.Containers[0]
	container.Name, container.Image = "memcached", "memcached:1.6"
	if len(container.Ports) != 1 {
		container.Ports = make([]corev1.ContainerPort, 1)
	}
	container.Ports[0].Name, container.Ports[0].ContainerPort = "memcached", 11211
	limit := resource.MustParse("1")
	if current, ok := container.Resources.Limits[corev1.ResourceCPU]; !ok || current.Cmp(limit) != 0 {
		container.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: limit}
	}
}
