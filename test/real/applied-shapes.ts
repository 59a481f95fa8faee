import type { Resource } from '../../sdk/engine/kube/resource.js'
import { backups } from '../../sdk/operator/backups.fixture.js'

const kindOf = (group: string, version: string, kind: string, plural: string): Resource => ({
  group,
  version,
  kind,
  plural,
  namespaced: true,
})
const roles = kindOf('rbac.authorization.k8s.io', 'v1', 'Role', 'roles')
const roleBindings = kindOf('rbac.authorization.k8s.io', 'v1', 'RoleBinding', 'rolebindings')
const networkPolicies = kindOf('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies')
const ingresses = kindOf('networking.k8s.io', 'v1', 'Ingress', 'ingresses')
const statefulSets = kindOf('apps', 'v1', 'StatefulSet', 'statefulsets')
const deployments = kindOf('apps', 'v1', 'Deployment', 'deployments')
const jobs = kindOf('batch', 'v1', 'Job', 'jobs')
const cronJobs = kindOf('batch', 'v1', 'CronJob', 'cronjobs')
const services = kindOf('', 'v1', 'Service', 'services')
const secrets = kindOf('', 'v1', 'Secret', 'secrets')
const configMaps = kindOf('', 'v1', 'ConfigMap', 'configmaps')
const volumeClaims = kindOf('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims')
const autoscalers = kindOf('autoscaling', 'v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers')
const disruptionBudgets = kindOf('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets')
const serviceAccounts = kindOf('', 'v1', 'ServiceAccount', 'serviceaccounts')
const resourceQuotas = kindOf('', 'v1', 'ResourceQuota', 'resourcequotas')
const limitRanges = kindOf('', 'v1', 'LimitRange', 'limitranges')
const pod = (spec: object = {}, c: object = {}, meta: object = {}) => ({
  metadata: { labels: { a: 'b' }, ...meta },
  spec: { containers: [{ name: 'c', image: 'i', ...c }], ...spec },
})
const deployment = (spec: object = {}, c: object = {}, top: object = {}, meta: object = {}) => ({
  spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template: pod(spec, c, meta), ...top },
})
/** Objects by name, as programs write them; those of Go programs have empty and null members. */
export const appliedShapes: Readonly<Record<string, readonly [Resource, object]>> = {
  'dep-plain': [deployments, deployment()],
  'dep-quantity-number': [
    deployments,
    deployment(
      {},
      { resources: { limits: { cpu: 1, memory: '1024Mi' }, requests: { cpu: 0.5, memory: 1048576 } } },
    ),
  ],
  'dep-quantity-forms': [
    deployments,
    deployment(
      {},
      {
        resources: { limits: { cpu: '1000m', memory: '1048576Ki' }, requests: { cpu: '0.5', memory: '1e6' } },
      },
    ),
  ],
  'dep-zero': [
    deployments,
    deployment(
      { hostNetwork: false, serviceAccountName: '' },
      { env: [{ name: 'A', value: '' }], stdin: false },
      { minReadySeconds: 0, paused: false },
    ),
  ],
  'dep-status': [deployments, { ...deployment(), status: {} }],
  'dep-status2': [deployments, { ...deployment(), status: { replicas: 0 } }],
  'dep-null': [
    deployments,
    deployment({ nodeSelector: null }, { args: null }, { strategy: null }, { creationTimestamp: null }),
  ],
  'dep-empty-structs': [
    deployments,
    deployment(
      {
        securityContext: {},
        affinity: {},
        volumes: [{ name: 'v', emptyDir: {} }],
        tolerations: [],
        imagePullSecrets: [],
      },
      { resources: {}, securityContext: {}, env: [], args: [], command: [] },
      { strategy: {} },
    ),
  ],
  'dep-projected': [
    deployments,
    deployment({
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
    }),
  ],
  'dep-probe': [
    deployments,
    deployment(
      {},
      { livenessProbe: { httpGet: { path: '/', port: 80 } }, readinessProbe: { exec: { command: ['a'] } } },
    ),
  ],
  'dep-ports-reversed': [
    deployments,
    deployment({}, { ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }),
  ],
  'dep-lifecycle': [
    deployments,
    deployment(
      { terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' },
      { lifecycle: { preStop: { sleep: { seconds: 1 } } } },
    ),
  ],
  'dep-affinity': [
    deployments,
    deployment({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'a', labelSelector: { matchLabels: { a: 'b' } } } },
          ],
        },
      },
      tolerations: [{ key: 'a' }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'z',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { a: 'b' } },
        },
      ],
    }),
  ],
  'dep-fieldref': [
    deployments,
    deployment(
      {},
      {
        env: [
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        ],
        envFrom: [{ configMapRef: { name: 'x' } }],
      },
    ),
  ],
  'dep-meta': [
    deployments,
    {
      ...deployment(),
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z', generation: 3, selfLink: 'x' },
    },
  ],
  'dep-gen': [deployments, { ...deployment(), metadata: { generateName: 'x-' } }],
  'dep-annotations-empty-value': [
    deployments,
    { ...deployment(), metadata: { annotations: { a: '' }, labels: { b: '' } } },
  ],
  'dep-old-sa': [deployments, deployment({ serviceAccount: 'default' })],
  'dep-rolling': [
    deployments,
    deployment(
      {},
      {},
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } },
    ),
  ],
  'dep-init': [
    deployments,
    deployment(
      {
        initContainers: [{ name: 'i', image: 'x', restartPolicy: 'Always' }],
        volumes: [
          { name: 'c', configMap: { name: 'x', items: [{ key: 'a', path: 'b' }] } },
          { name: 's', secret: { secretName: 'x', defaultMode: 256 } },
          { name: 'h', hostPath: { path: '/a' } },
        ],
      },
      {
        volumeMounts: [
          { name: 'c', mountPath: '/a' },
          { name: 's', mountPath: '/b', readOnly: false },
        ],
      },
    ),
  ],
  sts: [
    statefulSets,
    {
      spec: {
        replicas: 0,
        serviceName: 'x',
        selector: { matchLabels: { a: 'b' } },
        template: pod(),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ],
  'sts-full': [
    statefulSets,
    {
      spec: {
        replicas: 0,
        serviceName: 'x',
        selector: { matchLabels: { a: 'b' } },
        template: pod(),
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'data', creationTimestamp: null },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
            status: {},
          },
        ],
      },
    },
  ],
  svc: [services, { spec: { selector: { a: 'b' }, ports: [{ port: 80 }] } }],
  'svc-dns': [
    services,
    {
      spec: {
        selector: { a: 'b' },
        ports: [
          { name: 'tcp', port: 53 },
          { name: 'udp', port: 53, protocol: 'UDP' },
        ],
      },
    },
  ],
  'svc-dns2': [
    services,
    {
      spec: {
        selector: { a: 'b' },
        ports: [
          { name: 'udp', port: 53, protocol: 'UDP' },
          { name: 'tcp', port: 53, targetPort: 'x' },
        ],
      },
    },
  ],
  'svc-headless': [
    services,
    {
      spec: {
        clusterIP: 'None',
        selector: { a: 'b' },
        ports: [{ port: 80, targetPort: 'http', nodePort: 0 }],
      },
    },
  ],
  'svc-nodeport': [services, { spec: { type: 'NodePort', selector: { a: 'b' }, ports: [{ port: 80 }] } }],
  'svc-lb': [
    services,
    {
      spec: {
        type: 'LoadBalancer',
        selector: { a: 'b' },
        ports: [{ port: 80 }],
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        externalTrafficPolicy: 'Local',
      },
    },
  ],
  'cm-empty': [configMaps, { data: {} }],
  'cm-values': [configMaps, { data: { a: '', b: 'x' }, binaryData: { c: 'YQ==' } }],
  'cm-immutable': [configMaps, { data: { a: '1' }, immutable: false }],
  'secret-string': [secrets, { stringData: { a: 'b' } }],
  'secret-data': [secrets, { data: { a: 'YQ==', b: '' }, type: 'Opaque' }],
  'secret-newline': [secrets, { data: { a: 'YWFh\nYWFh\n' } }],
  'secret-both': [secrets, { data: { a: 'YQ==' }, stringData: { a: 'other', b: 'x' } }],
  role: [roles, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  'role-empty': [roles, { rules: [] }],
  'role-names': [
    roles,
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [] }] },
  ],
  rb: [
    roleBindings,
    {
      roleRef: { kind: 'Role', name: 'role', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
    },
  ],
  'rb-user': [
    roleBindings,
    { roleRef: { kind: 'Role', name: 'role' }, subjects: [{ kind: 'User', name: 'u' }] },
  ],
  np: [networkPolicies, { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [] } }],
  'np-all': [
    networkPolicies,
    { spec: { podSelector: { matchLabels: {} }, ingress: [{}], policyTypes: ['Ingress'] } },
  ],
  'np-from': [
    networkPolicies,
    {
      spec: {
        podSelector: {},
        ingress: [
          { from: [{ namespaceSelector: {} }, { podSelector: { matchLabels: { a: 'b' } } }], ports: [] },
        ],
      },
    },
  ],
  ing: [
    ingresses,
    {
      spec: {
        rules: [
          {
            host: 'a.b',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
              ],
            },
          },
        ],
        tls: [{ hosts: ['a.b'] }],
      },
    },
  ],
  job: [
    jobs,
    {
      spec: {
        suspend: true,
        template: pod({ restartPolicy: 'Never' }),
        backoffLimit: 0,
        ttlSecondsAfterFinished: 0,
      },
    },
  ],
  'job-policy': [
    jobs,
    {
      spec: {
        suspend: true,
        template: pod({ restartPolicy: 'Never' }),
        podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
      },
    },
  ],
  cj: [
    cronJobs,
    {
      spec: {
        schedule: '0 0 * * *',
        suspend: true,
        jobTemplate: {
          metadata: { creationTimestamp: null },
          spec: { template: pod({ restartPolicy: 'Never' }) },
        },
      },
      status: {},
    },
  ],

  pvc: [
    volumeClaims,
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1024Mi' } },
        storageClassName: '',
      },
    },
  ],
  hpa: [
    autoscalers,
    {
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
          {
            type: 'Pods',
            pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1000m' } },
          },
        ],
      },
    },
  ],
  'hpa-behavior': [
    autoscalers,
    {
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
        behavior: {
          scaleDown: {
            stabilizationWindowSeconds: 10,
            policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }],
          },
        },
      },
    },
  ],
  pdb: [disruptionBudgets, { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }],
  'pdb-pct': [disruptionBudgets, { spec: { maxUnavailable: '50%', selector: {} } }],
  sa: [
    serviceAccounts,
    { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'x' }], secrets: [] },
  ],
  quota: [resourceQuotas, { spec: { hard: { cpu: '1000m', pods: 4, 'requests.memory': '1024Mi' } } }],
  limit: [
    limitRanges,
    { spec: { limits: [{ type: 'Container', default: { cpu: '1000m' }, defaultRequest: { cpu: '0.1' } }] } },
  ],
  cr: [backups as unknown as Resource, { spec: { size: 0, settings: '' } }],
  'cr-status': [backups as unknown as Resource, { spec: { size: 1 }, status: {} }],
}
