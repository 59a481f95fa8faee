/**
 * A namespace or a kind that a cluster lacks for a release. A run that fails or waits because of the missing thing runs
 * again as soon as the thing exists.
 */

import type { Cluster } from '../../../engine/cluster/cluster.js'
import { isEstablished } from '../../../engine/cluster/definition.js'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  namespaces,
} from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { UnservedLookupError } from '../../render/render-error.js'
import { causesOf } from './causes.js'
import { OperationError, type UnservedKind } from './problem.js'

/** Something that a cluster lacks, and the objects whose changes show that it exists or may exist. */
export interface MissingDependency {
  /** The name of the missing thing in messages, which also identifies it. */
  readonly what: string
  readonly resource: Resource
  /** The cluster of the objects; default that of the release. */
  readonly cluster?: Cluster
  /** The namespace of the objects; default all. */
  readonly namespace?: string
  /** Selects the objects; default all of the kind. */
  readonly fieldSelector?: string
  /** Selects the objects; default all of the kind. */
  readonly labelSelector?: string
  /** Whether the status of the object is needed as well as its metadata; default false. */
  readonly needsStatus?: boolean
  /** Whether the keys run if the watch finds no object when it begins; default false. */
  readonly runsIfAbsent?: boolean
  /** Whether the program may lack the permission for the watch, without an Event; default false. */
  readonly isOptional?: boolean
  /** The minimum time between two runs, in milliseconds; default 0. */
  readonly leastMs?: number
  /** The reaction to an event of an object: `run` runs the keys, `ask` starts checks whether the thing exists. */
  readonly reactionTo: (object: KubeObject, isGone: boolean) => 'run' | 'ask' | undefined
  /**
   * Checks whether the thing exists. The kind of a definition is served some time after the definition is established,
   * without an event.
   */
  readonly isThere: (cluster: Pick<Cluster, 'served'>) => Promise<boolean>
}

/**
 * Finds the cause of an error in what the cluster lacks; undefined for another cause, and for the namespace
 * `ownNamespace` of the custom resource itself.
 */
export function missingIn(error: unknown, ownNamespace: string | undefined): MissingDependency | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof OperationError && cause.unserved) return definitionOf(cause.unserved)
    // Charts in code and templates may look up any kind, so no permission for the watch is expected.
    if (cause instanceof UnservedLookupError) return { ...definitionOf(cause.unserved), isOptional: true }
    const name = cause instanceof ApiError ? namespaceIn(cause) : undefined
    if (name !== undefined)
      return name === ownNamespace || !namePattern.test(name) ? undefined : namespaceNamed(name)
  }
  return undefined
}

/** The form of a namespace name. A name that contains the value of a Secret is masked in errors and does not match. */
const namePattern = /^[a-z0-9-]+$/

/** The namespace that is missing or being deleted, by an answer of the API server. */
function namespaceIn({ status, code }: ApiError): string | undefined {
  const { kind, name, causes = [] } = status.details ?? {}
  if (code === 404) return kind === 'namespaces' ? name : undefined
  const termination = causes.find(({ reason }) => reason === 'NamespaceTerminating')
  return /^namespace (\S+) is being terminated$/.exec(termination?.message ?? '')?.[1]
}

/** A missing namespace. Its deletion also runs the keys: the release may create the namespace again. */
const namespaceNamed = (name: string): MissingDependency => ({
  what: `the namespace ${name}`,
  resource: namespaces,
  fieldSelector: `metadata.name=${name}`,
  reactionTo: ({ metadata }, isGone) =>
    isGone || metadata.deletionTimestamp === undefined ? 'run' : undefined,
  isThere: async () => true,
})

/** The definition of a kind, by the group in its name. */
const definitionOf = ({ apiVersion, kind }: UnservedKind): MissingDependency => ({
  what: `${kind} of ${apiVersion}`,
  resource: customResourceDefinitions,
  reactionTo: ({ metadata }, isGone) =>
    !isGone && apiVersion.startsWith(`${metadata.name?.replace(/^[^.]*\./, '')}/`) ? 'ask' : undefined,
  isThere: (cluster) => serves(cluster, { apiVersion, kind }),
})

/**
 * A definition that a release has created, until the cluster serves its kind; without a kind, until it is established.
 * A definition that somebody deletes meanwhile is created again.
 */
export const newDefinition = (name: string, kind: UnservedKind | undefined): MissingDependency => ({
  what: `the definition ${name}`,
  resource: customResourceDefinitions,
  needsStatus: true,
  fieldSelector: `metadata.name=${name}`,
  reactionTo: (object, isGone) => {
    if (isGone) return 'run'
    return isEstablished(object as CustomResourceDefinition) ? 'ask' : undefined
  },
  isThere: async (cluster) => !kind || serves(cluster, kind),
})

/** Whether the cluster serves a kind now. */
const serves = async (cluster: Pick<Cluster, 'served'>, { apiVersion, kind }: UnservedKind) =>
  (await cluster.served(apiVersion)).some((resource) => resource.kind === kind)
