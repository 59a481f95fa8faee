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
