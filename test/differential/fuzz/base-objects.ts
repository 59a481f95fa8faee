import type { Json } from '../subjects.js'

const labels = { app: 'a' }
const selector = { matchLabels: labels }
const podSpec = { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] }
const template = { metadata: { labels }, spec: podSpec }
const jobTemplate = { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } }
const reference = { apiGroup: 'rbac.authorization.k8s.io', name: 'r' }
const user = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' }
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://localhost:1/hook' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
}
const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const definition = {
  group: 'fuzz.example.com',
  scope: 'Namespaced',
  names: { plural: 'things', kind: 'Thing' },
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
}
const policy = {
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  },
}

/** A PEM block with a certificate request for an unknown key, as base64. */
export const encodedRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIU01Ib0NBUUF3R0RFS01BZ0dBMVVFQXd3QmRURUtNQWdHQTFV',
  'RUNnd0JaekJaTUJNR0J5cUdTTTQ5QWdFRwpDQ3FHU000OUF3RUhBMElBQkhHOExXTC9jbzRYRUFTNndXT0JpeFE2NlVnZWljbHV3',
  'Wk9LTFFNckkvS2Z1R283CitkWUk1ZlM2bXBNck5PSTBLNEVIdWxPWUxYaXVZY2JTeWVGSXIwYWdBREFLQmdncWhrak9QUVFEQWdO',
  'SUFEQkYKQWlFQXdteVdUb2lyYzZPMUJiOFJzSi9mYmhPcDJSa25qVTIyUnJpRlNTcWdJUVFDSUJ2SFJualJJR2RnUzhjYwprWm1S',
  'dzlweXpTZGdkNGhRT2Fpa2tLVUQ1bXJ4Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
].join('')

/** The minimal valid objects of each kind, without `metadata.name`; by kind, or by group and kind. */
export const bases: Readonly<Record<string, Json>> = {
  ConfigMap: { data: { a: '1', b: '2' } },
  Secret: { stringData: { a: '1' } },
  Endpoints: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
  '/Event': {
    involvedObject: { namespace: '$NS', kind: 'Pod', name: 'p' },
    reason: 'Because',
    message: 'm',
    type: 'Normal',
  },
  'events.k8s.io/Event': {
    regarding: { namespace: '$NS', kind: 'Pod', name: 'p' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'one',
    action: 'Act',
    reason: 'Because',
    type: 'Normal',
  },
  LimitRange: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '100Gi' } }] } },
  Node: { spec: { podCIDR: '10.244.0.0/24' } },
  PersistentVolumeClaim: { spec: storage },
  PersistentVolume: {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/a' } },
  },
  Pod: { spec: podSpec },
  PodTemplate: { template },
  ReplicationController: { spec: { replicas: 1, selector: labels, template } },
  ResourceQuota: { spec: { hard: { 'count/leases.coordination.k8s.io': '100' } } },
  ServiceAccount: {},
  Service: { spec: { selector: labels, ports: [{ name: 'http', port: 80 }] } },
  ControllerRevision: { revision: 1, data: { a: 1 } },
  DaemonSet: { spec: { selector, template } },
  Deployment: { spec: { replicas: 1, selector, template } },
  ReplicaSet: { spec: { replicas: 1, selector, template } },
  StatefulSet: {
    spec: {
      serviceName: 's',
      selector,
      template,
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: storage }],
    },
  },
  SelfSubjectReview: {},
  TokenReview: { spec: { token: 'nonsense' } },
  LocalSubjectAccessReview: {
    spec: { user: 'u', resourceAttributes: { namespace: '$NS', verb: 'get', resource: 'pods' } },
  },
  SelfSubjectAccessReview: {
    spec: { resourceAttributes: { namespace: '$NS', verb: 'get', resource: 'pods' } },
  },
  SelfSubjectRulesReview: { spec: { namespace: '$NS' } },
  SubjectAccessReview: { spec: { user: 'u', nonResourceAttributes: { path: '/healthz', verb: 'get' } } },
  HorizontalPodAutoscaler: {
    spec: {
      minReplicas: 1,
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    },
  },
  CronJob: { spec: { schedule: '*/5 * * * *', jobTemplate } },
  Job: { spec: { backoffLimit: 1, ...jobTemplate.spec } },
  CertificateSigningRequest: {
    spec: { request: encodedRequest, signerName: 'example.com/signer', usages: ['client auth'] },
  },
  Ingress: {
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  },
  IngressClass: { spec: { controller: 'example.com/c' } },
  IPAddress: { spec: { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } } },
  NetworkPolicy: {
    spec: {
      podSelector: selector,
      ingress: [{ ports: [{ port: 80 }], from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
    },
  },
  ServiceCIDR: { spec: { cidrs: ['10.99.0.0/24'] } },
  PodDisruptionBudget: { spec: { minAvailable: 1, selector } },
  ClusterRole: { rules },
  Role: { rules },
  ClusterRoleBinding: { roleRef: { ...reference, kind: 'ClusterRole' }, subjects: [user] },
  RoleBinding: { roleRef: { ...reference, kind: 'Role' }, subjects: [user] },
  CSIDriver: { spec: { attachRequired: false } },
  CSINode: { spec: { drivers: [{ name: 'd', nodeID: 'n' }] } },
  CSIStorageCapacity: { storageClassName: 's', capacity: '1Gi' },
  StorageClass: { provisioner: 'example.com/p' },
  VolumeAttachment: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  VolumeAttributesClass: { driverName: 'd', parameters: { a: '1' } },
  MutatingAdmissionPolicy: {
    spec: {
      ...policy,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    },
  },
  MutatingAdmissionPolicyBinding: { spec: { policyName: 'p' } },
  MutatingWebhookConfiguration: { webhooks: [webhook] },
  ValidatingAdmissionPolicy: { spec: { ...policy, validations: [{ expression: 'true' }] } },
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'p', validationActions: ['Deny'] } },
  ValidatingWebhookConfiguration: { webhooks: [webhook] },
  CustomResourceDefinition: { metadata: { name: 'things.fuzz.example.com' }, spec: definition },
  PriorityClass: { value: 1 },
  Lease: { spec: { holderIdentity: 'h', leaseDurationSeconds: 15 } },
  RuntimeClass: { handler: 'h' },
  EndpointSlice: {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ name: 'p', port: 80 }],
  },
}
