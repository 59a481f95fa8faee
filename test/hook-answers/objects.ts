import fc from 'fast-check'

/** All members are optional, so that two objects also differ by missing members. */
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(members, { requiredKeys: [] })
const word = fc.constantFrom('a', 'b', 'c', 'web', '')
const words = fc.array(word, { maxLength: 3 })
const map = fc.dictionary(fc.constantFrom('k1', 'k2', 'k3', '__proto__', 'a/b'), word, { maxKeys: 3 })
const small = fc.integer({ min: 0, max: 3 })
const quantity = fc.constantFrom('1', '100m', '1Gi', '0')
const quantities = fc.dictionary(fc.constantFrom('cpu', 'memory'), quantity)
const time = fc.constantFrom('2026-01-02T03:04:05Z', '2026-05-06T07:08:09Z')
const port = fc.oneof(small, fc.constantFrom('http', 'https'))

const metadata = some({
  labels: map,
  annotations: map,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: small,
  finalizers: words,
  generateName: word,
  generation: small,
  resourceVersion: word,
  uid: word,
  ownerReferences: fc.array(
    some({ apiVersion: word, kind: word, name: word, uid: word, controller: fc.boolean() }),
    {
      maxLength: 2,
    },
  ),
  managedFields: fc.array(
    some({ manager: word, operation: word, time, fieldsV1: fc.constant({ 'f:data': {} }) }),
    {
      maxLength: 2,
    },
  ),
})

const selector = some({
  matchLabels: map,
  matchExpressions: fc.array(some({ key: word, operator: word, values: words }), { maxLength: 2 }),
})

const env = some({
  name: word,
  value: word,
  valueFrom: some({
    fieldRef: some({ apiVersion: word, fieldPath: word }),
    configMapKeyRef: some({ name: word, key: word, optional: fc.boolean() }),
    resourceFieldRef: some({ resource: word, divisor: quantity }),
  }),
})

const probe = some({
  httpGet: some({ path: word, port, scheme: word, httpHeaders: fc.array(some({ name: word, value: word })) }),
  exec: some({ command: words }),
  initialDelaySeconds: small,
  terminationGracePeriodSeconds: small,
})

const container = some({
  name: word,
  image: word,
  command: words,
  args: words,
  env: fc.array(env, { maxLength: 3 }),
  ports: fc.array(some({ name: word, containerPort: small, hostPort: small }), { maxLength: 2 }),
  resources: some({ limits: quantities, requests: quantities, claims: fc.array(some({ name: word })) }),
  volumeMounts: fc.array(some({ name: word, mountPath: word, readOnly: fc.boolean() }), { maxLength: 2 }),
  livenessProbe: probe,
  securityContext: some({
    runAsUser: small,
    privileged: fc.boolean(),
    capabilities: some({ add: words, drop: words }),
  }),
  tty: fc.boolean(),
})

const volume = some({
  name: word,
  emptyDir: some({ medium: word, sizeLimit: quantity }),
  secret: some({
    secretName: word,
    items: fc.array(some({ key: word, path: word, mode: small })),
    optional: fc.boolean(),
  }),
  hostPath: some({ path: word }),
})

const pod = some({
  spec: some({
    containers: fc.array(container, { maxLength: 3 }),
    initContainers: fc.array(container, { maxLength: 1 }),
    volumes: fc.array(volume, { maxLength: 3 }),
    nodeSelector: map,
    hostNetwork: fc.boolean(),
    activeDeadlineSeconds: small,
    securityContext: some({ fsGroup: small, sysctls: fc.array(some({ name: word, value: word })) }),
    affinity: some({
      podAffinity: some({
        requiredDuringSchedulingIgnoredDuringExecution: fc.array(
          some({ labelSelector: selector, topologyKey: word }),
        ),
      }),
    }),
    tolerations: fc.array(some({ key: word, tolerationSeconds: small }), { maxLength: 2 }),
    serviceAccountName: word,
  }),
  status: some({
    phase: word,
    podIPs: fc.array(some({ ip: word })),
    conditions: fc.array(some({ type: word, status: word, lastTransitionTime: time })),
    startTime: time,
    containerStatuses: fc.array(
      some({
        name: word,
        ready: fc.boolean(),
        state: some({ running: some({ startedAt: time }), waiting: some({ reason: word }) }),
      }),
    ),
  }),
})

const service = some({
  spec: some({
    selector: map,
    ports: fc.array(some({ name: word, port: small, targetPort: port, nodePort: small, appProtocol: word }), {
      maxLength: 3,
    }),
    clusterIP: word,
    clusterIPs: words,
    type: word,
    allocateLoadBalancerNodePorts: fc.boolean(),
    sessionAffinityConfig: some({ clientIP: some({ timeoutSeconds: small }) }),
  }),
  status: some({ loadBalancer: some({ ingress: fc.array(some({ ip: word, hostname: word })) }) }),
})

const data = fc.dictionary(fc.constantFrom('k1', 'k2', '__proto__'), word)
const bytes = fc.dictionary(fc.constantFrom('k1', 'k2'), fc.constantFrom('AAEC', 'aGk=', ''))

const claim = some({
  spec: some({
    accessModes: words,
    resources: some({ requests: fc.dictionary(fc.constant('storage'), quantity) }),
    storageClassName: word,
    selector,
    dataSource: some({ apiGroup: word, kind: word, name: word }),
  }),
  status: some({ phase: word, capacity: quantities }),
})

const ingress = some({
  spec: some({
    ingressClassName: word,
    defaultBackend: some({ service: some({ name: word, port: some({ name: word, number: small }) }) }),
    tls: fc.array(some({ hosts: words, secretName: word }), { maxLength: 2 }),
    rules: fc.array(
      some({
        host: word,
        http: some({ paths: fc.array(some({ path: word, pathType: word }), { maxLength: 2 }) }),
      }),
      { maxLength: 2 },
    ),
  }),
})

const bodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
  Pod: pod,
  Service: service,
  Secret: some({ data: bytes, stringData: data, type: word, immutable: fc.boolean() }),
  ConfigMap: some({ data, binaryData: bytes, immutable: fc.boolean() }),
  PersistentVolumeClaim: claim,
  Ingress: ingress,
}

/** An object before and after a hook: two objects of the same kind and name with unrelated contents. */
export const edits = fc
  .constantFrom(...Object.keys(bodies))
  .chain((kind) => fc.record({ kind: fc.constant(kind), before: objectOf(kind), after: objectOf(kind) }))

function objectOf(kind: string): fc.Arbitrary<object> {
  const apiVersion = kind === 'Ingress' ? 'networking.k8s.io/v1' : 'v1'
  return fc.tuple(metadata, bodies[kind] ?? fc.constant({})).map(([meta, body]) => ({
    apiVersion,
    kind,
    metadata: { ...meta, name: 'it', namespace: 'default' },
    ...body,
  }))
}
