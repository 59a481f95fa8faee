// Deletes the namespace of a release and the volumes of its StatefulSets, which are kept unless `cleanup` names them.
import * as z from 'zod'
import type { Client } from '../../engine/client/client.js'
import { namespaces, persistentVolumeClaims } from '../../engine/kube/builtin.js'
import { isAlreadyExists, isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatLabelSelector, labelSelectorRequirements } from '../../engine/kube/label-selector.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ReleaseObject } from '../../helm/reconciler/objects/release-object.js'
import { moduleLabel } from '../manager/client-cluster.js'

/** The schema of volume claims in the metadata of a Module. */
export const claimsSchema = z.array(z.object({ namespace: z.string(), name: z.string(), uid: z.string() }))
/** A volume claim. */
export type VolumeClaim = z.output<typeof claimsSchema>[number]

/** The calls to the cluster of a release. */
export interface ReleaseCalls {
  readonly client: Client
  readonly signal: AbortSignal
  /** The UID of the Module. */
  readonly uid: string
}

interface StatefulFields extends KubeObject {
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Record<string, string> }
    readonly volumeClaimTemplates?: readonly KubeObject[]
  }
}

/** The volume claims that the StatefulSets of a release have made. */
export async function claimsOf(
  objects: readonly ReleaseObject[],
  { client, signal }: ReleaseCalls,
): Promise<VolumeClaim[]> {
  const claims: VolumeClaim[] = []
  for (const { resource, key, object } of objects) {
    if (resource.kind !== 'StatefulSet' || resource.group !== 'apps') continue
    const { selector, volumeClaimTemplates = [] } = (object as StatefulFields).spec ?? {}
    if (volumeClaimTemplates.length === 0 || !selector?.matchLabels) continue
    const labelSelector = formatLabelSelector(
      labelSelectorRequirements({ matchLabels: selector.matchLabels }),
    )
    const { items } = await client.listAll(persistentVolumeClaims, {
      namespace: key.namespace,
      labelSelector,
      signal,
    })
    const begins = volumeClaimTemplates.map(({ metadata }) => `${metadata.name}-${key.name}-`)
    for (const { metadata } of items)
      if (isClaimOf(metadata.name ?? '', begins))
        claims.push({ namespace: key.namespace, name: metadata.name ?? '', uid: metadata.uid ?? '' })
  }
  return claims
}

const isClaimOf = (name: string, begins: readonly string[]) =>
  begins.some((begin) => name.startsWith(begin) && /^\d+$/.test(name.slice(begin.length)))

/** Deletes volume claims, each only if it still has the recorded UID. */
export async function deleteClaims(
  claims: readonly VolumeClaim[],
  { client, signal }: ReleaseCalls,
): Promise<void> {
  for (const { namespace, name, uid } of claims)
    await client.delete(persistentVolumeClaims, { namespace, name }, { uid, signal }).catch(ignoreNotFound)
}

/** Creates the namespace of a release, if there is none. */
export async function createNamespace(name: string, { client, signal, uid }: ReleaseCalls): Promise<void> {
  const exists = await client.get(namespaces, { namespace: '', name }, { signal }).then(
    () => true,
    (error: unknown) => {
      if (!isNotFound(error)) throw error
      return false
    },
  )
  if (exists) return
  const metadata = { name, labels: { [moduleLabel]: uid } }
  await client.create(namespaces, { metadata }, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}

/** Deletes the namespace of a release if the Module has created it. */
export async function deleteNamespace(name: string, { client, signal, uid }: ReleaseCalls): Promise<void> {
  const key = { namespace: '', name }
  const live = await client.get(namespaces, key, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
  if (live?.metadata.labels?.[moduleLabel] !== uid) return
  await client.delete(namespaces, key, { uid: live.metadata.uid ?? '', signal }).catch(ignoreNotFound)
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error
}
