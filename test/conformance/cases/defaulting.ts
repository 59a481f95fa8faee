import type { Case, CaseGroup } from '../case.js'

const core = 'k8s.io/kubernetes pkg/apis/core/v1/defaults.go @ v1.36.3'
const apps = 'k8s.io/kubernetes pkg/apis/apps/v1/defaults.go @ v1.36.3'
const containers = [{ name: 'c', image: 'i' }]
const labels = { app: 'a' }
const template = { metadata: { labels }, spec: { containers } }
const selector = { matchLabels: labels }

/** The defaults of a created object. */
const fills = (name: string, source: string, resource: string, given: object, filled: object): Case => ({
  name,
  source,
  async run({ make, expect }) {
    expect.has(await make(resource, { metadata: { name: 'a' }, ...given }), filled)
  },
})

/** Defaults of omitted fields. */
export const defaulting: CaseGroup = {
  name: 'defaulting',
  cases: [
    fills('a Secret has the type Opaque', core, 'secrets', {}, { type: 'Opaque' }),
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
      'an external Service routes traffic through any node',
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
      'a container has a pull policy and a path for its termination message',
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
      'a Pod tolerates a lost node for five minutes',
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
      'a limit without a request is also the request',
      core,
      'pods',
      { spec: { containers: [{ ...containers[0], resources: { limits: { cpu: '1', memory: '1Gi' } } }] } },
      {
        spec: { containers: [{ resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
        status: { qosClass: 'Guaranteed' },
      },
    ),
    fills(
      'a request of zero does not count for the quality of service',
      core,
      'pods',
      { spec: { containers: [{ ...containers[0], resources: { requests: { cpu: '0m', memory: '0Ki' } } }] } },
      { status: { qosClass: 'BestEffort' } },
    ),
    fills(
      'nor does a limit of zero',
      core,
      'pods',
      { spec: { containers: [{ ...containers[0], resources: { limits: { cpu: '0', memory: '1Gi' } } }] } },
      { status: { qosClass: 'Burstable' } },
    ),
    fills(
      'a Deployment has one replica and updates a quarter at a time',
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
      'a Job runs once, retries six times and generates its selector',
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
      'a CronJob keeps three successful Jobs and one failed Job',
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
      'a NetworkPolicy applies to ingress',
      'k8s.io/kubernetes pkg/apis/networking/v1/defaults.go @ v1.36.3',
      'networkpolicies',
      { spec: { podSelector: {} } },
      { spec: { policyTypes: ['Ingress'] } },
    ),
    fills(
      'a claim has the volume mode Filesystem',
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
      'quantities are stored in canonical form',
      'k8s.io/apimachinery pkg/api/resource/quantity.go @ v0.36.3',
      'resourcequotas',
      {
        spec: {
          hard: {
            cpu: '1000m',
            memory: '1024Mi',
            pods: '1e3',
            'requests.cpu': 0.5,
            'requests.memory': '1.5Gi',
            'limits.cpu': '0.0001',
            'limits.memory': '1000k',
          },
        },
      },
      {
        spec: {
          hard: {
            cpu: '1',
            memory: '1Gi',
            pods: '1e3',
            'requests.cpu': '500m',
            'requests.memory': '1536Mi',
            'limits.cpu': '1m',
            'limits.memory': '1M',
          },
        },
      },
    ),
    fills(
      'an HTTP probe requests the root every ten seconds',
      core,
      'pods',
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ ...containers[0], livenessProbe: { httpGet: { port: 80 } } }],
        },
      },
      {
        spec: {
          containers: [
            {
              livenessProbe: {
                httpGet: { path: '/', port: 80, scheme: 'HTTP' },
                timeoutSeconds: 1,
                periodSeconds: 10,
                successThreshold: 1,
                failureThreshold: 3,
              },
            },
          ],
        },
      },
    ),
    fills(
      'the files of volumes are readable by everyone',
      core,
      'pods',
      {
        spec: {
          automountServiceAccountToken: false,
          containers,
          volumes: [
            { name: 'none' },
            { name: 'secret', secret: { secretName: 's' } },
            { name: 'path', hostPath: { path: '/x' } },
          ],
        },
      },
      {
        spec: {
          volumes: [
            { name: 'none', emptyDir: {} },
            { name: 'secret', secret: { secretName: 's', defaultMode: 420 } },
            { name: 'path', hostPath: { path: '/x', type: '' } },
          ],
        },
      },
    ),
    fills(
      'nested templates get defaults, too',
      'k8s.io/kubernetes pkg/apis/batch/v1/zz_generated.defaults.go @ v1.36.3',
      'cronjobs',
      {
        spec: {
          schedule: '0 0 1 1 *',
          suspend: true,
          jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
        },
      },
      {
        spec: {
          jobTemplate: {
            metadata: {},
            spec: {
              backoffLimit: undefined,
              template: { spec: { dnsPolicy: 'ClusterFirst', containers: [{ imagePullPolicy: 'Always' }] } },
            },
          },
        },
      },
    ),
    fills(
      'the claim templates of a StatefulSet get their kind',
      apps,
      'statefulsets',
      {
        spec: {
          replicas: 0,
          serviceName: 's',
          selector,
          template,
          volumeClaimTemplates: [
            {
              metadata: { name: 'v' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      },
      {
        spec: {
          volumeClaimTemplates: [
            {
              apiVersion: 'v1',
              kind: 'PersistentVolumeClaim',
              spec: { volumeMode: 'Filesystem' },
              status: { phase: 'Pending' },
            },
          ],
        },
      },
    ),
    fills(
      'the default target of an autoscaler is 80 percent of CPU',
      'k8s.io/kubernetes pkg/apis/autoscaling/v2/defaults.go @ v1.36.3',
      'horizontalpodautoscalers',
      { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
      {
        spec: {
          minReplicas: 1,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
            },
          ],
        },
      },
    ),
    fills(
      'a NetworkPolicy with egress rules applies to egress, too',
      'k8s.io/kubernetes pkg/apis/networking/v1/defaults.go @ v1.36.3',
      'networkpolicies',
      { spec: { podSelector: {}, egress: [{ ports: [{ port: 80 }] }] } },
      { spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ port: 80, protocol: 'TCP' }] }] } },
    ),
    fills(
      'a DaemonSet has the number of its template in an annotation for older clients',
      'k8s.io/kubernetes pkg/apis/apps/v1/conversion.go @ v1.36.3',
      'daemonsets',
      { spec: { selector, template } },
      { metadata: { annotations: { 'deprecated.daemonset.template.generation': '1' } } },
    ),
    {
      name: 'an invalid quantity is a 400',
      source: 'k8s.io/apimachinery pkg/api/resource/quantity.go @ v0.36.3',
      async run({ post, expect }) {
        const of = (cpu: string) =>
          post('resourcequotas', { metadata: { name: 'a' }, spec: { hard: { cpu } } })
        const begin = 'ResourceQuota in version "v1" cannot be handled as a ResourceQuota: '
        const shape =
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        expect.answer(await of('much'), 400, { message: begin + shape })
        expect.answer(await of('1Kii'), 400, { message: `${begin}unable to parse quantity's suffix` })
      },
    },
    {
      name: 'a deleted Job orphans its pods, with a warning',
      source: 'k8s.io/kubernetes pkg/registry/batch/job/storage/storage.go @ v1.36.3',
      async run({ make, delete: remove, expect }) {
        const spec = { suspend: true, template: { spec: { containers, restartPolicy: 'Never' } } }
        await make('jobs', { metadata: { name: 'a' }, spec })
        const answer = await remove('jobs/a')
        expect.ok(answer.headers.warning?.includes('child pods are preserved by default'), 'it warns')
      },
    },
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
      'the ports of an endpoint slice have the protocol TCP and an empty name',
      'k8s.io/kubernetes pkg/apis/discovery/v1/defaults.go @ v1.36.3',
      'endpointslices',
      { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ port: 80 }] },
      { ports: [{ name: '', protocol: 'TCP', port: 80 }] },
    ),
  ],
}
