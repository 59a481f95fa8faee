import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ReleasePolicy } from '../policy/release-policy.js'
import { hashedName, hostReleaseName, releaseNameOf } from '../release/release-name.js'
import {
  askFunction,
  asNamespace,
  asReleaseName,
  asTargetAnswer,
  invalidTargetError,
  quoted,
} from './check-answer.js'
import type { ReleaseLocation } from './release-location.js'
import { TargetError } from './target-error.js'
import type { ReleaseNameFunction, TargetAnswer, TargetFunction } from './target-options.js'

/** The clusters of a program, and its options about the locations of releases. */
export interface LocationRules {
  readonly resource: { readonly kind: string; readonly group: string }
  /** The cluster of the objects. */
  readonly cluster: string
  /** The clusters that releases may go to. */
  readonly clusters: readonly string[]
  /** The vcluster, if releases may go to its host, and the namespace there. */
  readonly host?: { readonly vcluster: string; readonly namespace: string } | undefined
  readonly target?: string | TargetFunction | undefined
  readonly releaseName?: 'name' | 'name-hash' | ReleaseNameFunction | undefined
  readonly targetNamespace?: string | undefined
  readonly allow?: ReleasePolicy | undefined
}

/** The custom resource whose release is placed. */
type OwnerObject = DeepReadonly<KubeObject>

/**
 * The location that an object asks for by the options and functions of its controller. Called at the beginning of each
 * run. Throws {@link TargetError} if a release cannot be there.
 */
export function requestedLocation(rules: LocationRules, object: OwnerObject): ReleaseLocation {
  const { target } = rules
  const answer =
    typeof target === 'function' ? asTargetAnswer(askFunction('target', () => target(object))) : {}
  const cluster = clusterOf(rules, answer)
  const namespace = namespaceOf(rules, { answer, cluster, object })
  return { cluster, namespace, name: nameOf(rules, { answer, cluster, object }) }
}

/**
 * The location of a release without the functions of its controller. Called for an object that is being deleted while
 * its functions fail and no record of its release is found.
 */
export function defaultLocation(
  { target: _, releaseName: __, ...rules }: LocationRules,
  object: OwnerObject,
): ReleaseLocation {
  const cluster = clusterOf({ ...rules, clusters: [rules.cluster] }, {})
  const namespace = defaultNamespace(rules, cluster, object) ?? ''
  return { cluster, namespace, name: nameOf(rules, { answer: {}, cluster, object }) }
}

/** The namespaces of a cluster in which the records of an object's release are searched. */
export function possibleNamespaces(rules: LocationRules, cluster: string, object: OwnerObject): string[] {
  const defaultName = defaultNamespace(rules, cluster, object)
  const allowed = typeof rules.target === 'function' ? (rules.allow?.namespaces ?? []) : []
  return [...new Set([...(defaultName ? [defaultName] : []), ...allowed])]
}

/** Whether a cluster is the host of the vcluster of the objects. */
export const isHost = ({ host, cluster: homeCluster }: LocationRules, cluster: string) =>
  host !== undefined && cluster === 'host' && cluster !== homeCluster

/** The cluster that the function answered, or else the only possible one, or that of the objects. */
function clusterOf({ clusters, cluster: homeCluster }: LocationRules, { cluster }: TargetAnswer): string {
  const [only, ...others] = clusters
  const chosen = cluster ?? (others.length === 0 && only ? only : homeCluster)
  if (clusters.includes(chosen)) return chosen
  const answerText = cluster === undefined ? 'answered no cluster' : `answered the cluster ${quoted(cluster)}`
  throw invalidTargetError(`target ${answerText}: answer one of ${clusters.join(', ')}, or add it to targets`)
}

function defaultNamespace(
  rules: LocationRules,
  cluster: string,
  { metadata }: OwnerObject,
): string | undefined {
  if (rules.targetNamespace !== undefined) return rules.targetNamespace
  if (isHost(rules, cluster)) return rules.host?.namespace
  return cluster === rules.cluster ? metadata.namespace : undefined
}

interface AnsweredTarget {
  readonly answer: TargetAnswer
  readonly cluster: string
  readonly object: OwnerObject
}

/** The namespace that the function answered, if the options allow it, or else the default one. */
function namespaceOf(rules: LocationRules, { answer, cluster, object }: AnsweredTarget): string {
  const defaultName = defaultNamespace(rules, cluster, object)
  const namespace = answer.namespace ?? defaultName
  if (namespace === undefined)
    throw invalidTargetError(
      `target answered no namespace of the cluster ${cluster}: answer one, or set targetNamespace`,
    )
  if (namespace === defaultName) return namespace
  const allowed = possibleNamespaces(rules, cluster, object)
  if (allowed.includes(asNamespace(namespace))) return namespace
  throw new TargetError(
    'NotAllowed',
    `target answered the namespace ${quoted(namespace)} of the cluster ${cluster}, and the release may be in ${allowed.join(', ') || 'none'}: ` +
      'change the fields of the object that the function reads, or add the namespace to allow.namespaces',
  )
}

/** The name of the release: of the function's answer, of `releaseName`, or derived from the object. */
function nameOf(rules: LocationRules, { answer, cluster, object }: AnsweredTarget): string {
  const { releaseName, resource, host } = rules
  if (answer.releaseName !== undefined) return asReleaseName(answer.releaseName, 'target')
  if (typeof releaseName === 'function')
    return asReleaseName(
      askFunction('releaseName', () => releaseName(object)),
      'releaseName',
    )
  const { name = '', namespace = '' } = object.metadata
  const objectName = { kind: resource.kind, group: resource.group, name, namespace }
  if (host && isHost(rules, cluster)) return hostReleaseName(objectName, host.vcluster)
  return releaseName === 'name-hash' ? hashedName(objectName) : releaseNameOf(objectName)
}
