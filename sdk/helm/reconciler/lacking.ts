/** A namespace or a kind that a cluster lacks for a release. A run that fails for it runs again as soon as it is there. */
import type { Cluster } from '../../cluster/cluster.js'
import { customResourceDefinitions, namespaces } from '../../kube/builtin.js'
import { ApiError } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import { OperationError, type UnservedKind } from './problem.js'

/** Something that a cluster lacks, and the objects whose changes say that it may be there. */
export interface Lacking {
  /** Names it in a message, and identifies it. */
  readonly what: string
  readonly resource: Resource
  /** Selects the object; default all of the kind. */
  readonly fieldSelector?: string
  /** Whether an event about an object may be the end of it. */
  readonly concerns: (object: KubeObject, isGone: boolean) => boolean
  /** Whether it is there. The kind of a definition is served some time after the definition is established. */
  readonly isThere: (cluster: Pick<Cluster, 'served'>) => Promise<boolean>
}

/** Finds the cause of an error in what the cluster lacks; undefined for another cause, and for the namespace `own` of the custom resource itself. */
export function lackingIn(error: unknown, own: string | undefined): Lacking | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OperationError && cause.unserved) return definitionOf(cause.unserved)
    const name = cause instanceof ApiError ? namespaceIn(cause) : undefined
    if (name !== undefined) return name === own || !namePattern.test(name) ? undefined : namespaceNamed(name)
  }
  return undefined
}

/** A name that a chart made of a Secret is blanked in errors, and is none. */
const namePattern = /^[a-z0-9-]+$/

/** The namespace that is missing or being deleted, by an answer of the API server. */
function namespaceIn({ status, code }: ApiError): string | undefined {
  const { kind, name, causes = [] } = status.details ?? {}
  if (code === 404) return kind === 'namespaces' ? name : undefined
  const ending = causes.find(({ reason }) => reason === 'NamespaceTerminating')
  return /^namespace (\S+) is being terminated$/.exec(ending?.message ?? '')?.[1]
}

/** A namespace. One that is gone counts too: the release may create it. */
const namespaceNamed = (name: string): Lacking => ({
  ...{ what: `the namespace ${name}`, resource: namespaces, fieldSelector: `metadata.name=${name}` },
  concerns: ({ metadata }, isGone) => isGone || metadata.deletionTimestamp === undefined,
  isThere: async () => true,
})

/** The definition of a kind, by the group in its name. */
const definitionOf = ({ apiVersion, kind }: UnservedKind): Lacking => ({
  ...{ what: `${kind} of ${apiVersion}`, resource: customResourceDefinitions },
  concerns: ({ metadata }, isGone) =>
    !isGone && apiVersion.startsWith(`${metadata.name?.replace(/^[^.]*\./, '')}/`),
  isThere: async (cluster) => (await cluster.served(apiVersion)).some((one) => one.kind === kind),
})
