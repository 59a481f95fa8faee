// Checks that a volume claim belongs to the release of a Module: by its label, or by a StatefulSet of the release.
import { persistentVolumeClaims } from '../../engine/kube/builtin.js'
import { type StatefulSet, statefulSets } from '../../engine/kube/builtin-workloads.js'
import { isNotFound } from '../../engine/kube/error.js'
import { formatKey } from '../../engine/kube/key.js'
import { moduleLabel } from '../manager/client-cluster.js'
import type { DataSide } from './data-objects.js'

/** Rejects unless the claim exists and belongs to the Module. */
export async function checkClaim({ client, uid, key }: DataSide, signal: AbortSignal): Promise<void> {
  const name = `PersistentVolumeClaim ${formatKey(key)}`
  const claim = await client.get(persistentVolumeClaims, key, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new Error(`${name} does not exist`)
  })
  if (claim.metadata.labels?.[moduleLabel] === uid) return
  const labelSelector = `${moduleLabel}=${uid}`
  const { items } = await client.listAll(statefulSets, { namespace: key.namespace, labelSelector, signal })
  if (!items.some((set) => isClaimOf(key.name, set)))
    throw new Error(
      `${name} does not belong to the Module: neither by its label ${moduleLabel} nor by a StatefulSet`,
    )
}

/** Whether a StatefulSet made a claim of this name: by a template, the name of the set, and a number. */
function isClaimOf(name: string, { metadata, spec }: StatefulSet): boolean {
  return (spec?.volumeClaimTemplates ?? []).some((template) => {
    const prefix = `${template.metadata?.name}-${metadata.name}-`
    return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))
  })
}
