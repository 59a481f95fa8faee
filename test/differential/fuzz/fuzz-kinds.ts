import { builtInGroups } from '../../../apiserver/resources/index.js'
import { type Struct, structOf } from '../../../apiserver/schema/schema.js'
import { robots } from '../robots.js'
import type { Json } from '../subjects.js'
import { bases } from './base-objects.js'

/** A resource for random requests. */
export interface FuzzKind {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly subresources: readonly string[]
  /** The fields of a minimal valid object, without a name. */
  readonly base: Json
  /** Its Go type; undefined for custom resources. */
  readonly struct: Struct | undefined
  /**
   * Whether only dry runs are sent, because its objects change how the real server handles all other
   * requests.
   */
  readonly dryRunOnly: boolean
}

/** Kinds whose objects configure the kube-apiserver itself. */
const obeyed =
  /^(Mutating|Validating|PriorityClass|CustomResourceDefinition|Namespace|ServiceCIDR|RuntimeClass|IPAddress)/
/** Kinds that are calls, not objects. */
const calls = /^(Binding|ComponentStatus)$/

const builtIn: readonly FuzzKind[] = builtInGroups.flatMap(({ group, version, resources }) =>
  resources
    .filter(({ kind }) => !calls.test(kind))
    .map(({ kind, plural, namespaced, subresources = [] }) => ({
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      plural,
      namespaced,
      subresources: subresources.map(({ name }) => name),
      base: bases[`${group}/${kind}`] ?? bases[kind] ?? {},
      struct: structOf({ group, version, kind }),
      dryRunOnly: obeyed.test(kind),
    })),
)

const custom: FuzzKind = {
  apiVersion: robots.apiVersion,
  kind: robots.kind,
  plural: robots.plural,
  namespaced: true,
  subresources: ['status'],
  base: {
    spec: {
      arms: 3,
      hands: 2,
      model: 'a',
      tools: ['saw'],
      joints: [{ name: 'a', angle: 1 }],
      free: { a: 1 },
    },
  },
  struct: undefined,
  dryRunOnly: false,
}

/** Kinds that most programs use. */
const common =
  /^(ConfigMap|Secret|Service|ServiceAccount|Pod|Deployment|StatefulSet|DaemonSet|ReplicaSet|Job|CronJob|Lease|Ingress|Role|RoleBinding|PersistentVolumeClaim|NetworkPolicy|EndpointSlice|HorizontalPodAutoscaler|PodDisruptionBudget|Event)$/
const isCommon = ({ kind }: FuzzKind) => common.test(kind)

/** Every kind of both servers for random requests; common kinds are repeated. */
export const fuzzKinds: readonly FuzzKind[] = [
  ...builtIn,
  ...builtIn.filter(isCommon),
  ...builtIn.filter(isCommon),
  custom,
  custom,
  custom,
]
