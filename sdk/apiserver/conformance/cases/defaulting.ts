import type { Case, CaseGroup } from '../case.js'

const core = 'k8s.io/kubernetes pkg/apis/core/v1/defaults.go @ v1.36.3'
const apps = 'k8s.io/kubernetes pkg/apis/apps/v1/defaults.go @ v1.36.3'
const containers = [{ name: 'c', image: 'i' }]
const labels = { app: 'a' }
const template = { metadata: { labels }, spec: { containers } }
const selector = { matchLabels: labels }

/** What is filled in when an object is created. */
const fills = (name: string, source: string, resource: string, given: object, filled: object): Case => ({
  name,
  source,
  async run({ make, expect }) {
    expect.has(await make(resource, { metadata: { name: 'a' }, ...given }), filled)
  },
})

/** Fields that clients leave out. */
export const defaulting: CaseGroup = {
  name: 'defaulting',
  cases: [
    fills('a Secret is opaque', core, 'secrets', {}, { type: 'Opaque' }),
    fills(
      'an empty ConfigMap stays empty',
      core,
      'configmaps',
      {},
      { data: undefined, immutable: undefined },
    ),
    fills(
      'a Service has a type, a protocol, a target and an address',
      `${core}; k8s.io/kubernetes pkg/registry/core/service/storage/alloc.go @ v1.36.3`,
      'services',
      { spec: { ports: [{ port: 80 }] } },
      {
        spec: {
          type: 'ClusterIP',
          clusterIP: /^10\.96\.\d+\.\d+$/,
          clusterIPs: [/^10\.96\.\d+\.\d+$/],
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          sessionAffinity: 'None',
          internalTrafficPolicy: 'Cluster',
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        },
        status: { loadBalancer: {} },
      },
    ),
    fills(
      'a headless Service has no address',
      core,
      'services',
      { spec: { clusterIP: 'None', selector: { x: 'y' }, ports: [{ port: 80 }] } },
      { spec: { clusterIP: 'None', clusterIPs: ['None'] } },
    ),
    fills(
      'a Service for outside sends what comes to any node on',
      core,
      'services',
      { spec: { type: 'NodePort', ports: [{ port: 80 }] } },
      { spec: { externalTrafficPolicy: 'Cluster', ports: [{ port: 80, protocol: 'TCP' }] } },
    ),
    fills(
      'a Pod has policies, a scheduler and a grace period',
      core,
      'pods',
      { spec: { containers } },
      {
        spec: {
          restartPolicy: 'Always',
          dnsPolicy: 'ClusterFirst',
          schedulerName: 'default-scheduler',
          terminationGracePeriodSeconds: 30,
          securityContext: {},
          enableServiceLinks: true,
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      },
    ),
    fills(
      'a container has a pull policy and paths for its last words',
      core,
      'pods',
      { spec: { containers } },
      {
        spec: {
          containers: [
            {
              imagePullPolicy: 'Always',
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
              resources: {},
            },
          ],
        },
      },
    ),
    fills(
      'an image with a tag is pulled only once',
      core,
      'pods',
      { spec: { containers: [{ name: 'c', image: 'i:1' }] } },
      { spec: { containers: [{ imagePullPolicy: 'IfNotPresent' }] } },
    ),
    fills(
      'a Pod runs as the default service account, whose token is mounted',
      'k8s.io/kubernetes plugin/pkg/admission/serviceaccount/admission.go @ v1.36.3',
      'pods',
      { spec: { containers } },
      {
        spec: {
          serviceAccountName: 'default',
          serviceAccount: 'default',
          volumes: [{ name: /^kube-api-access-/ }],
          containers: [{ volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }] }],
        },
      },
    ),
    fills(
      'a Pod tolerates a node that is lost for five minutes',
      'k8s.io/kubernetes plugin/pkg/admission/defaulttolerationseconds/admission.go @ v1.36.3',
      'pods',
      { spec: { containers } },
      {
        spec: {
          tolerations: [
            {
              key: 'node.kubernetes.io/not-ready',
              operator: 'Exists',
              effect: 'NoExecute',
              tolerationSeconds: 300,
            },
            {
              key: 'node.kubernetes.io/unreachable',
              operator: 'Exists',
              effect: 'NoExecute',
              tolerationSeconds: 300,
            },
          ],
        },
      },
    ),
    fills(
      'a limit without a request is a request',
      core,
      'pods',
      { spec: { containers: [{ ...containers[0], resources: { limits: { cpu: '1', memory: '1Gi' } } }] } },
      {
        spec: { containers: [{ resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
        status: { qosClass: 'Guaranteed' },
      },
    ),
    fills(
      'a Deployment has one replica and rolls a quarter at a time',
      apps,
      'deployments',
      { spec: { selector, template } },
      {
        metadata: { generation: 1 },
        spec: {
          replicas: 1,
          revisionHistoryLimit: 10,
          progressDeadlineSeconds: 600,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
          template: { spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30 } },
        },
      },
    ),
    fills(
      'a StatefulSet starts its pods in order',
      apps,
      'statefulsets',
      { spec: { replicas: 0, serviceName: 's', selector, template } },
      {
        spec: {
          podManagementPolicy: 'OrderedReady',
          revisionHistoryLimit: 10,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        },
      },
    ),
    fills(
      'a DaemonSet replaces one pod at a time',
      apps,
      'daemonsets',
      { spec: { selector, template } },
      {
        spec: {
          revisionHistoryLimit: 10,
          updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        },
      },
    ),
    fills(
      'a ReplicaSet has one replica',
      apps,
      'replicasets',
      { spec: { selector, template, replicas: undefined } },
      { spec: { replicas: 1 } },
    ),
    fills(
      'a Job runs once, tries again six times and chooses its pods itself',
      'k8s.io/kubernetes pkg/apis/batch/v1/defaults.go @ v1.36.3',
      'jobs',
      { spec: { suspend: true, template: { spec: { containers, restartPolicy: 'Never' } } } },
      {
        spec: {
          backoffLimit: 6,
          completions: 1,
          parallelism: 1,
          completionMode: 'NonIndexed',
          podReplacementPolicy: 'TerminatingOrFailed',
          selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': /.{36}/ } },
        },
      },
    ),
    fills(
      'a CronJob keeps three successes and one failure',
      'k8s.io/kubernetes pkg/apis/batch/v1/defaults.go @ v1.36.3',
      'cronjobs',
      {
        spec: {
          schedule: '0 0 1 1 *',
          suspend: true,
          jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
        },
      },
      { spec: { concurrencyPolicy: 'Allow', successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 } },
    ),
    fills(
      'a NetworkPolicy is about what comes in',
      'k8s.io/kubernetes pkg/apis/networking/v1/defaults.go @ v1.36.3',
      'networkpolicies',
      { spec: { podSelector: {} } },
      { spec: { policyTypes: ['Ingress'] } },
    ),
    fills(
      'a claim is for a file system',
      core,
      'persistentvolumeclaims',
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      {
        metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
        spec: { volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    ),
    fills(
      'a RoleBinding fills in the API group of its subjects',
      'k8s.io/kubernetes pkg/apis/rbac/v1/defaults.go @ v1.36.3',
      'rolebindings',
      { roleRef: { kind: 'Role', name: 'r', apiGroup: '' }, subjects: [{ kind: 'User', name: 'u' }] },
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }],
      },
    ),
    fills(
      'the endpoints of a slice speak TCP and have no name',
      'k8s.io/kubernetes pkg/apis/discovery/v1/defaults.go @ v1.36.3',
      'endpointslices',
      { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ port: 80 }] },
      { ports: [{ name: '', protocol: 'TCP', port: 80 }] },
    ),
  ],
}
