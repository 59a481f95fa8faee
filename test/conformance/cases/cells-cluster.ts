import type { Case, CaseGroup } from '../case.js'
import { expressions, labels, running } from '../samples.js'
import { cellsIn, printers, shows, tableHeaders } from '../shows.js'

const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const csi = { driver: 'd.example.com', volumeHandle: 'h' }

const storage: readonly Case[] = [
  shows({
    name: 'a claim with a volume',
    resource: 'persistentvolumeclaims',
    object: { spec: { ...claim, storageClassName: 'x', volumeName: 'v' } },
    status: {
      phase: 'Bound',
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteOncePod'],
    },
    cells: {
      Status: 'Bound',
      Volume: 'v',
      Capacity: '2Gi',
      'Access Modes': 'RWO,ROX,RWX,RWOP',
      StorageClass: 'x',
      VolumeMode: 'Filesystem',
    },
  }),
  shows({
    resource: 'persistentvolumes',
    object: {
      spec: {
        accessModes: ['ReadWriteMany'],
        capacity: { storage: '5Gi' },
        storageClassName: 'x',
        claimRef: { namespace: 'n', name: 'c' },
        csi,
      },
    },
    cells: {
      Capacity: '5Gi',
      'Access Modes': 'RWX',
      'Reclaim Policy': 'Retain',
      Status: 'Pending',
      Claim: 'n/c',
      StorageClass: 'x',
      VolumeAttributesClass: '<unset>',
      Reason: '',
      VolumeMode: 'Filesystem',
    },
  }),
  shows({
    resource: 'storageclasses',
    object: {
      metadata: { name: 'a', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/p',
    },
    cells: {
      Name: 'a (default)',
      Provisioner: 'example.com/p',
      ReclaimPolicy: 'Delete',
      VolumeBindingMode: 'Immediate',
      AllowVolumeExpansion: false,
    },
  }),
  shows({
    resource: 'csidrivers',
    object: { spec: { podInfoOnMount: true, tokenRequests: [{ audience: 'b' }, { audience: 'a' }] } },
    cells: {
      AttachRequired: true,
      PodInfoOnMount: true,
      StorageCapacity: false,
      TokenRequests: 'b,a',
      RequiresRepublish: false,
      Modes: 'Persistent',
    },
  }),
  shows({
    resource: 'csinodes',
    object: { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n' }] } },
    cells: { Drivers: 1 },
  }),
  shows({
    resource: 'volumeattachments',
    object: { spec: { attacher: 'd.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    cells: { Attacher: 'd.example.com', PV: 'v', Node: 'n', Attached: false },
  }),
  shows({
    resource: 'volumeattributesclasses',
    object: { driverName: 'd.example.com', parameters: { a: 'b' } },
    cells: { DriverName: 'd.example.com' },
  }),
]

const subjects = [
  { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
  { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'v' },
  { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
  { kind: 'ServiceAccount', namespace: 'n', name: 's' },
]
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
const roleSubjects = { Role: 'ClusterRole/view', Users: 'u, v', Groups: 'g', ServiceAccounts: 'n/s' }
const webhook = {
  name: 'a.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { url: 'https://example.com' },
}
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
const policy = { policyName: 'p', validationActions: ['Deny'] }

const access: readonly Case[] = [
  shows({ resource: 'rolebindings', object: { roleRef, subjects }, cells: roleSubjects }),
  shows({ resource: 'clusterrolebindings', object: { roleRef, subjects }, cells: roleSubjects }),
  shows({
    resource: 'validatingwebhookconfigurations',
    object: { webhooks: [webhook] },
    cells: { Webhooks: 1 },
  }),
  shows({
    resource: 'mutatingwebhookconfigurations',
    object: { webhooks: [webhook, { ...webhook, name: 'b.example.com' }] },
    cells: { Webhooks: 2 },
  }),
  shows({
    resource: 'validatingadmissionpolicies',
    object: {
      spec: {
        paramKind,
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    },
    cells: { Validations: 1, ParamKind: 'v1/ConfigMap' },
  }),
  shows({
    resource: 'validatingadmissionpolicybindings',
    object: { spec: { ...policy, paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } } },
    cells: { PolicyName: 'p', ParamRef: '*/x' },
  }),
  shows({
    resource: 'mutatingadmissionpolicybindings',
    object: {
      spec: {
        policyName: 'p',
        paramRef: { selector: { matchLabels: labels }, parameterNotFoundAction: 'Allow' },
      },
    },
    cells: {
      PolicyName: 'p',
      ParamRef:
        '&LabelSelector{MatchLabels:map[string]string{app: a,tier: b,},MatchExpressions:[]LabelSelectorRequirement{},}',
    },
  }),
]

const others: readonly Case[] = [
  shows({
    resource: 'nodes',
    object: {
      metadata: { name: 'a', labels: { 'node-role.kubernetes.io/b': '', 'kubernetes.io/role': 'a' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'False' }],
        addresses: [
          { type: 'InternalIP', address: '192.0.2.1' },
          { type: 'ExternalIP', address: '192.0.2.2' },
        ],
        nodeInfo: { kubeletVersion: 'v1.36.3', kernelVersion: '6.1', architecture: 'amd64', osImage: 'o' },
      },
    },
    cells: {
      Status: 'NotReady,SchedulingDisabled',
      Roles: 'a,b',
      Version: 'v1.36.3',
      'Internal-IP': '192.0.2.1',
      'External-IP': '192.0.2.2',
      'OS-Image': 'o',
      'Kernel-Version': '6.1 (amd64)',
      'Container-Runtime': '<unknown>',
    },
  }),
  shows({
    name: 'a node without data',
    resource: 'nodes',
    cells: { Status: 'Unknown', Roles: '<none>', Version: '', 'Internal-IP': '<none>' },
  }),
  shows({
    resource: 'resourcequotas',
    object: { spec: {} },
    status: {
      hard: { pods: '5', 'limits.cpu': '2', 'requests.cpu': '1500m' },
      used: { pods: '1', 'limits.cpu': '1' },
    },
    cells: { Request: 'pods: 1/5, requests.cpu: 0/1500m', Limit: 'limits.cpu: 1/2' },
  }),
  shows({
    resource: 'poddisruptionbudgets',
    object: { spec: { minAvailable: '50%', selector: { matchLabels: labels } } },
    status: {
      disruptionsAllowed: 3,
      currentHealthy: 4,
      desiredHealthy: 1,
      expectedPods: 4,
      observedGeneration: 1,
    },
    cells: { 'Min Available': '50%', 'Max Unavailable': 'N/A', 'Allowed Disruptions': 3 },
  }),
  shows({
    resource: 'priorityclasses',
    object: { value: 7, preemptionPolicy: 'Never' },
    cells: { Value: 7, 'Global-Default': false, PreemptionPolicy: 'Never' },
  }),
  shows({ resource: 'runtimeclasses', object: { handler: 'h' }, cells: { Handler: 'h' } }),
  shows({ name: 'a lease without a holder', resource: 'leases', cells: { Holder: '' } }),
  {
    name: 'the cells of component statuses',
    source: printers,
    async run({ get, expect }) {
      expect.has(cellsIn(await get('/api/v1/componentstatuses/etcd-0', { headers: tableHeaders })), {
        Name: 'etcd-0',
        Status: 'Healthy',
        Message: 'ok',
        Error: '',
      })
    },
  },
  {
    name: 'the cells of a Scale',
    source: printers,
    async run({ make, get, expect }) {
      const spec = { replicas: 0, selector: { matchLabels: labels, matchExpressions: expressions } }
      const marked = { ...running, metadata: { labels: { ...labels, a: 'one', c: 'z' } } }
      await make('replicasets', { metadata: { name: 'a' }, spec: { ...spec, template: marked } })
      const answer = await get('replicasets/a/scale', { headers: tableHeaders })
      expect.has(cellsIn(answer), { Name: 'a', Desired: 0, Available: 0, Age: /^\d+s$/ })
      const { body } = await get('replicasets/a/scale')
      expect.has(body.status, { selector: 'a in (one),app=a,b notin (x,y),c,!d,tier=b' })
    },
  },
]

/** The columns of `kubectl get` for volumes, RBAC objects and others. */
export const clusterCells: CaseGroup = {
  name: 'cells-cluster',
  cases: [...storage, ...access, ...others],
}
