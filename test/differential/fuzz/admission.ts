import type { Json } from '../subjects.js'
import { type FuzzRequest, type FuzzSequence, namespacePlaceholder } from './fuzz-request.js'
import { judged } from './policies.js'
import type { Random } from './random.js'

const levels = ['privileged', 'baseline', 'restricted']
const modes = ['enforce', 'warn', 'audit']
const versions = ['latest', 'v1.24', 'v1.36']

/** A request that creates an object of the namespace. */
const creating = (path: string, body: Json): FuzzRequest => ({
  method: 'POST',
  path,
  query: [],
  headers: { 'content-type': 'application/json' },
  body,
})

/** Whether a sequence creates its own namespace, as those with admission do. */
export function makesNamespace([first]: FuzzSequence): boolean {
  return first?.method === 'POST' && first.path === '/api/v1/namespaces' && first.query.length === 0
}

/** The requests that set up admission in the namespace of a sequence: none, or its namespace and limits. */
export function randomAdmission(random: Random): FuzzRequest[] {
  if (random.chance(0.55)) return []
  const labels = { ...podSecurity(random), ...(random.chance(0.5) ? { [judged]: 'yes' } : {}) }
  const namespace = creating('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespacePlaceholder, labels },
  })
  return [
    namespace,
    ...(random.chance(0.3) ? [limitRange(random)] : []),
    ...(random.chance(0.3) ? quota(random) : []),
  ]
}

function podSecurity(random: Random): Record<string, string> {
  const chosen = modes.filter(() => random.chance(0.4))
  const labels = chosen.flatMap((mode) => {
    const name = `pod-security.kubernetes.io/${mode}`
    const version = random.chance(0.3) ? [[`${name}-version`, random.pick(versions)]] : []
    return [[name, random.pick(levels)], ...version]
  })
  return Object.fromEntries(labels) as Record<string, string>
}

/** The amounts of containers, pods or claims. */
const limits: readonly Json[] = [
  { type: 'Container', default: { cpu: '200m', memory: '64Mi' }, defaultRequest: { cpu: '100m' } },
  { type: 'Container', min: { cpu: '50m' }, max: { cpu: '1', memory: '1Gi' } },
  { type: 'Container', maxLimitRequestRatio: { cpu: '2' }, default: { cpu: '1' } },
  { type: 'Pod', max: { cpu: '500m', memory: '1Gi' } },
  { type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '10Gi' } },
]

function limitRange(random: Random): FuzzRequest {
  return creating(`/api/v1/namespaces/${namespacePlaceholder}/limitranges`, {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'limits' },
    spec: { limits: [random.pick(limits)] },
  })
}

const amounts: readonly Readonly<Record<string, string>>[] = [
  { pods: '0' },
  { 'count/configmaps': '1', 'count/secrets': '0', services: '1' },
  { 'requests.cpu': '100m', 'limits.memory': '1Gi' },
  { 'requests.storage': '1Gi', persistentvolumeclaims: '1' },
  { 'count/deployments.apps': '0', 'count/jobs.batch': '0', 'services.nodeports': '0' },
]

/** A quota is in force when its status is written, which nothing else does here. */
function quota(random: Random): FuzzRequest[] {
  const hard = random.pick(amounts)
  const path = `/api/v1/namespaces/${namespacePlaceholder}/resourcequotas`
  const object = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'quota' }, spec: { hard } }
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']))
  const status = { ...creating(`${path}/quota/status`, { ...object, status: { hard, used } }), method: 'PUT' }
  return [creating(path, object), status]
}
