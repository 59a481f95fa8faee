import { filter, from, map, mergeMap, type Observable } from 'rxjs'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { WatchEvent } from '../../sdk/engine/watch/event.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { isHandled, type StatedCondition, statedConditions } from '../samples/handled.js'

/** A change of an object that an operator reconciles or creates. */
export interface OperatorChange {
  /** `Deployment default/daily`. */
  name: string
  verb: 'created' | 'updated' | 'deleted'
  /**
   * The phase and the conditions, such as `Available=True DeploymentReady`, a note if the Helm release of the object
   * has no objects, then the reason why the object is not ready; `''` without any of these.
   */
  state: string
  /** Whether the object is new or has another state. Other changes are too many to show. */
  isNews: boolean
  /**
   * Whether it has a status, and is `Ready` or `Available`. Without such a condition, whether any of its conditions is
   * true.
   */
  isHandled: boolean
}

/** The kinds that an operator reconciles, and those that it creates, in one cluster. */
export function kindsToWatch(
  { kinds, controllers, clusters }: Pick<OperatorDescription, 'kinds' | 'controllers' | 'clusters'>,
  { cluster, served }: { cluster: string; served: readonly Resource[] },
): Resource[] {
  const isHere = (rule: { cluster?: string | undefined }) => (rule.cluster ?? clusters[0]) === cluster
  const createdRules = controllers.flatMap(({ rules }) =>
    rules.filter((rule) => isHere(rule) && rule.verbs.includes('create')),
  )
  const isCreatedKind = ({ group, plural }: Resource) =>
    plural !== 'events' && createdRules.some((rule) => rule.group === group && rule.resource === plural)
  const isOwnKind = (kind: Resource) =>
    kinds.some((candidate) => candidate.cluster === cluster && isSame(candidate.resource, kind))
  return served.filter((kind) => isOwnKind(kind) || isCreatedKind(kind))
}

const isSame = (resource: Pick<Resource, 'group' | 'plural'>, other: Resource) =>
  resource.group === other.group && resource.plural === other.plural

/** The objects that a cluster makes by itself, in each namespace where none is named. */
const objectsOfCluster: ReadonlySet<string> = new Set([
  ...['ConfigMap kube-root-ca.crt', 'ServiceAccount default', 'Service default/kubernetes'],
  'ConfigMap kube-system/extension-apiserver-authentication',
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map((name) => `Namespace ${name}`),
])

function isOfCluster(kind: string, { metadata }: KubeObject): boolean {
  const { name = '' } = metadata
  return (
    objectsOfCluster.has(`${kind} ${name}`) ||
    objectsOfCluster.has(`${kind} ${formatKey(keyOf({ metadata }))}`)
  )
}

/** The changes of these kinds in one cluster, without those of objects that the cluster makes by itself. */
export function operatorChanges(
  kinds: readonly Resource[],
  transport: Transport,
): Observable<OperatorChange> {
  return from(kinds).pipe(
    mergeMap((resource) => {
      const lastStates = new Map<string, string>()
      return watchResource({ transport, resource }).pipe(
        map((event) => changeOf(event, resource, lastStates)),
        filter((change) => change !== undefined),
      )
    }),
  )
}

/** The change that a watch event reports; undefined for events without an object, and for objects of the cluster. */
function changeOf(
  event: WatchEvent,
  { kind }: Resource,
  lastStates: Map<string, string>,
): OperatorChange | undefined {
  if (!('object' in event)) return undefined
  const { object } = event
  if (isOfCluster(kind, object)) return undefined
  const id = formatKey(keyOf(object))
  const name = `${kind} ${id}`
  if (event.type === 'deleted') {
    lastStates.delete(id)
    return { name, verb: 'deleted', state: '', isNews: true, isHandled: false }
  }
  const formerState = lastStates.get(id)
  const state = stateOf(object)
  lastStates.set(id, state)
  const verb = formerState === undefined ? 'created' : 'updated'
  const stateText = state + messageOf(object)
  return { name, verb, state: stateText, isNews: formerState !== state, isHandled: isHandled(object) }
}

/** Why an object is not ready: the message of a condition that reports a problem. */
function messageOf(object: KubeObject): string {
  const { message } =
    statedConditions(object).find((condition) => isTrouble(condition) && condition.message) ?? {}
  return message ? `: ${message}` : ''
}

/** Whether a condition reports a problem: `Degraded` that is true, or `Ready` that is false. */
const isTrouble = ({ type = '', status }: StatedCondition) =>
  status === (type === 'Degraded' ? 'True' : type === 'Ready' ? 'False' : undefined)

/** The phase and the conditions of an object as text, and a note if its release is empty. */
function stateOf(object: KubeObject): string {
  const { phase } = Object((object as { status?: unknown }).status)
  const conditions = statedConditions(object).map(
    ({ type = '', status = '', reason = '' }) => `${type}=${status}${reason && ` ${reason}`}`,
  )
  return [...(typeof phase === 'string' ? [phase] : []), ...conditions, ...emptyRelease(object)].join('  ')
}

/** The message of the condition `Deployed` if the Helm release of an object is deployed and has no objects. */
function emptyRelease(object: KubeObject): string[] {
  const { deployedRelease } = Object((object as { status?: unknown }).status)
  if (Object(deployedRelease).resources !== 0) return []
  return statedConditions(object).flatMap(({ type, status, message }) =>
    type === 'Deployed' && status === 'True' && message ? [message] : [],
  )
}
