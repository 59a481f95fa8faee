import { isJsonObject } from '../../../engine/kube/json-object.js'

/** The digest of a revision that the operator deployed. */
export interface RevisionDigest {
  readonly revision: number
  readonly digest: string
}

/** The digests in the status of a custom resource. */
export function digestsIn({ revisionDigests }: Readonly<Record<string, unknown>>): RevisionDigest[] {
  const items: readonly unknown[] = Array.isArray(revisionDigests) ? revisionDigests : []
  return items.filter(isDigest)
}

const isDigest = (item: unknown): item is RevisionDigest =>
  isJsonObject(item) && typeof item.revision === 'number' && typeof item.digest === 'string'

/** A release, and the custom resource that it belongs to. */
interface ReportedRelease {
  readonly release: { readonly name: string; readonly namespace: string }
  readonly owner: { readonly key: { readonly namespace: string } }
}

/**
 * Whether the status shows that a program without digests deployed the release: an earlier version of this SDK, or the
 * Go operator SDK, which names no namespace, because its releases are in that of the custom resource. This version
 * writes a list of digests with its first report, be it an empty one.
 */
export function isOlderThanDigests(
  { deployedRelease, revisionDigests }: Readonly<Record<string, unknown>>,
  { release, owner }: ReportedRelease,
): boolean {
  if (Array.isArray(revisionDigests) || !isJsonObject(deployedRelease)) return false
  const { name, namespace = owner.key.namespace } = deployedRelease
  return name === release.name && namespace === release.namespace
}
