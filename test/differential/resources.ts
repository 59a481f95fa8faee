import { robots } from './robots.js'
import { type Json, type Subject, subject } from './subjects.js'

const data = (values: unknown): Json => ({ data: values })
const spec = (values: Json): Json => ({ spec: values })
const status = (values: Json): Json => ({ status: values })

const configMaps = subject('v1', 'ConfigMap', {
  bodies: {
    data: data({ k: 'v' }),
    more: data({ k: 'w', l: 'm' }),
    binary: { binaryData: { b: 'AAEC' } },
    both: { data: { k: 'v' }, binaryData: { k: 'AAEC' } },
    notBase64: { binaryData: { b: '*' } },
    immutable: { ...data({ k: 'v' }), immutable: true },
    badKey: data({ 'no/slash': 'v' }),
    number: data({ k: 1 }),
    nothing: data(null),
    list: data([]),
    proto: JSON.parse('{"data":{"__proto__":"v","constructor":"w"}}') as Json,
  },
  changes: {
    data: data({ k: 'changed' }),
    moreData: data({ n: 'new' }),
    noData: data(null),
    freeze: { immutable: true },
    thaw: { immutable: false },
    number: data({ k: 1 }),
    nested: data({ k: { l: 'm' } }),
    binary: { binaryData: { b: 'AAECAw==' } },
  },
  strategic: { replaceData: data({ $patch: 'replace', only: 'this' }), retain: data({ $retainKeys: ['k'] }) },
})

const secrets = subject('v1', 'Secret', {
  bodies: {
    data: data({ k: 'dg==' }),
    plainText: { stringData: { k: 'text' } },
    both: { data: { k: 'dg==' }, stringData: { k: 'text', l: 'more' } },
    typed: { type: 'example.com/kind', ...data({ k: 'dg==' }) },
    basicAuth: { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } },
    badAuth: { type: 'kubernetes.io/basic-auth' },
    immutable: { ...data({ k: 'dg==' }), immutable: true },
    notBase64: data({ k: '*' }),
  },
  changes: {
    data: data({ k: 'dw==' }),
    plainText: { stringData: { l: 'text' } },
    noData: data(null),
    retype: { type: 'example.com/other' },
    freeze: { immutable: true },
    thaw: { immutable: null },
  },
})

const ports = [{ name: 'web', port: 80 }]

const services = subject('v1', 'Service', {
  base: spec({ ports }),
  parts: ['status'],
  bodies: {
    selecting: spec({ ports, selector: { app: 'x' } }),
    headless: spec({ ports, clusterIP: 'None' }),
    external: spec({ type: 'ExternalName', externalName: 'example.com' }),
    portless: spec({}),
    twoPorts: spec({ ports: [...ports, { name: 'api', port: 81, targetPort: 'api', protocol: 'UDP' }] }),
    nameless: spec({ ports: [{ port: 80 }, { port: 81 }] }),
    badPort: spec({ ports: [{ port: 70000 }] }),
    badType: spec({ ports, type: 'Wrong' }),
    nodePort: spec({ ports, type: 'NodePort' }),
    balanced: spec({ ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local' }),
    addressed: spec({ ports, clusterIP: '192.0.2.1' }),
    dualStack: spec({ ports, ipFamilyPolicy: 'RequireDualStack' }),
    twins: spec({ ports: [...ports, { name: 'web', port: 81 }] }),
  },
  changes: {
    select: spec({ selector: { app: 'y' } }),
    readdress: spec({ clusterIP: '10.96.255.7' }),
    port: spec({ ports: [{ name: 'web', port: 8080 }] }),
    affinity: spec({ sessionAffinity: 'ClientIP' }),
    open: spec({ type: 'NodePort' }),
    close: spec({ type: 'ClusterIP' }),
    balance: spec({ type: 'LoadBalancer' }),
    externalize: spec({ type: 'ExternalName', externalName: 'example.com' }),
    behead: spec({ clusterIP: 'None', clusterIPs: ['None'] }),
    badPolicy: spec({ internalTrafficPolicy: 'Wrong' }),
    status: status({ loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }),
  },
  strategic: {
    addPort: spec({ ports: [{ name: 'api', port: 81 }] }),
    changePort: spec({ ports: [{ port: 80, targetPort: 8080 }] }),
    dropPort: spec({ ports: [{ port: 80, $patch: 'delete' }] }),
    orderPorts: spec({ '$setElementOrder/ports': [{ port: 81 }, { port: 80 }] }),
    addInOrder: spec({
      '$setElementOrder/ports': [{ port: 80 }, { port: 82 }],
      ports: [{ name: 'next', port: 82 }],
    }),
    keylessPort: spec({ ports: [{ name: 'api' }] }),
    retainPorts: spec({ $retainKeys: ['ports'] }),
  },
})

const containers = [{ name: 'main', image: 'example.com/image:v1' }]

const pods = subject('v1', 'Pod', {
  base: spec({ containers }),
  parts: ['status'],
  bodies: {
    latest: spec({ containers: [{ name: 'main', image: 'image' }] }),
    two: spec({ containers: [...containers, { name: 'side', image: 'side:v1' }] }),
    initial: spec({ containers, initContainers: [{ name: 'init', image: 'init:v1' }] }),
    resources: spec({
      containers: [{ ...containers[0], resources: { limits: { cpu: '1' }, requests: { memory: '64Mi' } } }],
    }),
    volumes: spec({ containers, volumes: [{ name: 'v', configMap: { name: 'c' } }, { name: 'e' }] }),
    scheduled: spec({ containers, nodeName: 'node-1' }),
    noContainers: spec({}),
    nameless: spec({ containers: [{ image: 'image' }] }),
    restart: spec({ containers, restartPolicy: 'Sometimes' }),
    twins: spec({ containers: [...containers, ...containers] }),
    mounted: spec({ containers: [{ ...containers[0], volumeMounts: [{ name: 'v', mountPath: '/v' }] }] }),
    probed: spec({ containers: [{ ...containers[0], livenessProbe: { httpGet: { port: 'web' } } }] }),
    gated: spec({ containers, schedulingGates: [{ name: 'example.com/wait' }] }),
    greedy: spec({
      containers: [{ ...containers[0], resources: { limits: { cpu: '1' }, requests: { cpu: '1500m' } } }],
    }),
    deadline: spec({ containers, activeDeadlineSeconds: 60 }),
  },
  changes: {
    image: spec({ containers: [{ name: 'main', image: 'example.com/image:v2' }] }),
    node: spec({ nodeName: 'node-2' }),
    deadline: spec({ activeDeadlineSeconds: 30 }),
    tolerate: spec({ tolerations: [{ key: 'a', operator: 'Exists' }] }),
    recontain: spec({ containers: [{ name: 'other', image: 'image' }] }),
    ungate: spec({ schedulingGates: null }),
    grace: spec({ terminationGracePeriodSeconds: 5 }),
    running: status({ phase: 'Running', podIP: '192.0.2.8' }),
    condition: status({ conditions: [{ type: 'Ready', status: 'True' }] }),
  },
  strategic: {
    image: spec({ containers: [{ name: 'main', image: 'example.com/image:v3' }] }),
    env: spec({ containers: [{ name: 'main', env: [{ name: 'A', value: 'b' }] }] }),
    condition: status({ conditions: [{ type: 'Ready', status: 'False' }] }),
  },
})

const leases = subject('coordination.k8s.io/v1', 'Lease', {
  bodies: {
    held: spec({ holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' }),
    badDuration: spec({ leaseDurationSeconds: 0 }),
    badTime: spec({ renewTime: 'yesterday' }),
    transitions: spec({ holderIdentity: 'one', leaseTransitions: -1 }),
  },
  changes: {
    take: spec({ holderIdentity: 'two', leaseTransitions: 1 }),
    renew: spec({ renewTime: '2026-01-01T00:00:01.000000Z' }),
    release: spec({ holderIdentity: '' }),
    noSpec: { spec: null },
  },
})

const serviceAccounts = subject('v1', 'ServiceAccount', {
  bodies: {
    secrets: { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] },
    mount: { automountServiceAccountToken: false },
  },
  changes: { mount: { automountServiceAccountToken: true }, pull: { imagePullSecrets: [{ name: 'q' }] } },
  strategic: { addPull: { imagePullSecrets: [{ name: 'r' }] } },
})

const roles = subject('rbac.authorization.k8s.io/v1', 'Role', {
  bodies: {
    rules: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    noVerbs: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] },
    url: { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
  },
  changes: {
    rules: { rules: [{ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }] },
    noRules: { rules: null },
  },
})

const happening = {
  regarding: { kind: 'Pod', namespace: 'somewhere', name: 'p' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'example.com/controller',
  reportingInstance: 'one',
  action: 'Act',
  reason: 'Reason',
  type: 'Normal',
}
const observed = '2026-01-01T00:00:01.000000Z'

const events = subject('events.k8s.io/v1', 'Event', {
  base: happening,
  bodies: {
    noted: { note: ' what happened ' },
    series: { series: { count: 2, lastObservedTime: observed } },
    shortSeries: { series: { count: 1 } },
    related: { related: { kind: 'Node', name: 'n' } },
    timeless: { eventTime: null },
    mistyped: { type: 'Odd' },
    old: { deprecatedCount: 1, deprecatedSource: { component: 'c' } },
    unreported: { reportingController: '', action: null },
    badReporter: { reportingController: 'a/b/c' },
    longReason: { reason: 'r'.repeat(129) },
  },
  changes: {
    again: { series: { count: 3, lastObservedTime: observed } },
    once: { series: { count: 1 } },
    note: { note: 'changed' },
    elsewhere: { regarding: { name: 'other' } },
    source: { deprecatedSource: { host: 'h' } },
    retype: { type: 'Warning', eventTime: observed },
    report: { reportingController: 'example.com/other', reportingInstance: 'two' },
  },
})

/** The resources of steps. */
export const subjects: readonly Subject[] = [
  configMaps,
  secrets,
  services,
  pods,
  leases,
  serviceAccounts,
  events,
  roles,
  robots,
]

const byPlural = new Map(subjects.map((each) => [each.plural, each]))

/** The resource of a step. Throws for an unknown one, as in a mistyped replay. */
export function subjectOf(plural: string): Subject {
  const found = byPlural.get(plural)
  if (found === undefined) throw new Error(`unknown resource "${plural}"; see test/differential/resources.ts`)
  return found
}
