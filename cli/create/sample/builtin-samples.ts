/** The content of a kind's sample without metadata, and properties of the kind for its syncer and test. */
export interface SampleContent {
  /** The minimal content that an API server accepts. */
  content: object
  /** A valid change of the content. */
  change?: object
  /** Fields that the copy must not take over, mostly because each cluster fills them in; default none. */
  clusterFields?: readonly string[]
  /** The path of the specification of the Pods that the object creates; default none. */
  podSpecPath?: string
  /** Paths of fields that look like references to other objects but are not; default none. */
  plainFields?: readonly string[]
  /** Labels with effects on the host, which are not copied; default none. */
  deniedLabels?: readonly string[]
  /** Annotations with effects on the host, which are not copied; default none. */
  deniedAnnotations?: readonly string[]
  /** Whether the copy has translated names and selectors; default false. */
  translated?: true
  /** Whether the status is copied back to the original; default false. */
  statusUp?: true
}

const labels = { app: 'sample' }
const podSpec = { containers: [{ name: 'web', image: 'nginx' }] }
const template = { metadata: { labels }, spec: podSpec }
const selector = { matchLabels: labels }
const workload = { selector, template }
const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: 'view' })
const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'viewers' }]
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]
const backend = { service: { name: 'sample', port: { number: 80 } } }
const ingressRule = (path: string) => ({ http: { paths: [{ path, pathType: 'Prefix', backend }] } })
const jobSpec = { template: { spec: { restartPolicy: 'OnFailure', ...podSpec } } }
const driver = 'disk.example.com'

/** Samples by plural and group, as kubectl names kinds. Other kinds have no content. */
export const sampleContents: Readonly<Record<string, SampleContent>> = {
  configmaps: { content: { data: { text: 'hello' } }, change: { data: { text: 'bye' } } },
  'controllerrevisions.apps': { content: { revision: 1, data: {} }, change: { revision: 2 } },
  'cronjobs.batch': {
    content: { spec: { schedule: '0 * * * *', jobTemplate: { spec: jobSpec } } },
    change: { spec: { schedule: '30 * * * *' } },
    statusUp: true,
    podSpecPath: 'spec.jobTemplate.spec.template.spec',
  },
  'csidrivers.storage.k8s.io': { content: { spec: {} } },
  'csinodes.storage.k8s.io': { content: { spec: { drivers: [] } } },
  'csistoragecapacities.storage.k8s.io': {
    content: { storageClassName: 'fast', capacity: '1Gi' },
    change: { capacity: '2Gi' },
  },
  'daemonsets.apps': {
    content: { spec: workload },
    change: { spec: { minReadySeconds: 5 } },
    statusUp: true,
    podSpecPath: 'spec.template.spec',
    plainFields: ['spec.selector'],
  },
  'deployments.apps': {
    content: { spec: { replicas: 1, ...workload } },
    change: { spec: { replicas: 2 } },
    statusUp: true,
    podSpecPath: 'spec.template.spec',
    plainFields: ['spec.selector'],
  },
  endpoints: {
    content: { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] },
    change: { subsets: [{ addresses: [{ ip: '10.1.2.4' }], ports: [{ port: 80 }] }] },
  },
  'endpointslices.discovery.k8s.io': {
    content: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ port: 80 }] },
    change: { endpoints: [{ addresses: ['10.1.2.4'] }] },
    // It would add its addresses to any Service of the host namespace.
    deniedLabels: ['kubernetes.io/service-name'],
  },
  'horizontalpodautoscalers.autoscaling': {
    content: {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'sample' }, maxReplicas: 3 },
    },
    change: { spec: { maxReplicas: 4 } },
    statusUp: true,
  },
  'ingressclasses.networking.k8s.io': {
    content: { spec: { controller: 'example.com/ingress' } },
    deniedAnnotations: ['ingressclass.kubernetes.io/is-default-class'],
  },
  'ingresses.networking.k8s.io': {
    content: { spec: { rules: [ingressRule('/')] } },
    change: { spec: { rules: [ingressRule('/shop')] } },
    statusUp: true,
    translated: true,
  },
  'jobs.batch': {
    content: { spec: { backoffLimit: 3, ...jobSpec } },
    change: { spec: { backoffLimit: 5 } },
    clusterFields: ['spec.selector', 'spec.template.metadata.labels'],
    statusUp: true,
    podSpecPath: 'spec.template.spec',
  },
  'leases.coordination.k8s.io': {
    content: { spec: { holderIdentity: 'one' } },
    change: { spec: { holderIdentity: 'two' } },
  },
  limitranges: { content: { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } } },
  namespaces: { content: {} },
  'networkpolicies.networking.k8s.io': {
    content: { spec: { podSelector: { matchLabels: labels } } },
    change: { spec: { policyTypes: ['Ingress', 'Egress'] } },
    translated: true,
  },
  nodes: { content: { spec: {} } },
  persistentvolumeclaims: {
    content: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    clusterFields: ['spec.volumeName'],
    statusUp: true,
  },
  persistentvolumes: {
    content: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver, volumeHandle: 'one' },
      },
    },
    clusterFields: ['spec.claimRef'],
  },
  'poddisruptionbudgets.policy': {
    content: { spec: { minAvailable: 1, selector } },
    change: { spec: { minAvailable: 2 } },
    statusUp: true,
    translated: true,
  },
  pods: { content: { spec: podSpec } },
  podtemplates: { content: { template }, podSpecPath: 'template.spec' },
  'priorityclasses.scheduling.k8s.io': {
    content: { value: 100 },
    change: { description: 'changed' },
    // It would change the default of all Pods of the host.
    clusterFields: ['globalDefault'],
  },
  'replicasets.apps': {
    content: { spec: { replicas: 1, ...workload } },
    change: { spec: { replicas: 2 } },
    statusUp: true,
    podSpecPath: 'spec.template.spec',
    plainFields: ['spec.selector'],
  },
  replicationcontrollers: {
    content: { spec: { replicas: 1, selector: labels, template } },
    change: { spec: { replicas: 2 } },
    statusUp: true,
    podSpecPath: 'spec.template.spec',
    plainFields: ['spec.selector'],
  },
  resourcequotas: { content: { spec: { hard: { pods: '10' } } }, change: { spec: { hard: { pods: '20' } } } },
  'roles.rbac.authorization.k8s.io': { content: { rules }, change: { rules: [] } },
  'rolebindings.rbac.authorization.k8s.io': {
    content: { roleRef: roleRef('Role'), subjects },
    change: { subjects: [] },
  },
  'clusterroles.rbac.authorization.k8s.io': { content: { rules }, change: { rules: [] } },
  'clusterrolebindings.rbac.authorization.k8s.io': {
    content: { roleRef: roleRef('ClusterRole'), subjects },
    change: { subjects: [] },
  },
  'runtimeclasses.node.k8s.io': { content: { handler: 'sandbox' } },
  secrets: { content: { data: { text: 'aGVsbG8=' } }, change: { data: { text: 'Ynll' } } },
  serviceaccounts: { content: {}, change: { automountServiceAccountToken: false } },
  'servicecidrs.networking.k8s.io': { content: { spec: { cidrs: ['10.77.0.0/24'] } } },
  services: {
    content: { spec: { selector: labels, ports: [{ port: 80 }] } },
    change: { spec: { selector: { app: 'other' } } },
    clusterFields: ['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy'],
    statusUp: true,
    translated: true,
  },
  'statefulsets.apps': {
    content: { spec: { replicas: 1, serviceName: 'sample', ...workload } },
    change: { spec: { replicas: 2 } },
    statusUp: true,
    podSpecPath: 'spec.template.spec',
    plainFields: ['spec.selector'],
  },
  'storageclasses.storage.k8s.io': {
    content: { provisioner: driver },
    change: { allowVolumeExpansion: true },
    deniedAnnotations: [
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    ],
  },
  'volumeattachments.storage.k8s.io': {
    content: { spec: { attacher: driver, nodeName: 'node-1', source: { persistentVolumeName: 'sample' } } },
    plainFields: ['spec.nodeName'],
  },
  'volumeattributesclasses.storage.k8s.io': {
    content: { driverName: driver, parameters: { speed: 'fast' } },
  },
}
