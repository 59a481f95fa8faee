/**
 * The note of a workload that sleeps: an annotation, written in the patch that puts it to sleep. The fields of such a patch have a
 * manager of their own, which goes with the note: otherwise the next upgrade by helm 4 would be a conflict.
 */

import type { Client } from '../../client/client.js'
import type { LiveObjects } from '../../helm/reconciler/live-objects.js'
import type { ReleaseObject } from '../../helm/reconciler/release-object.js'
import { isConflict } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import type { ReleaseKey } from './render-helm-spec.js'

/** The field manager of the sleep. */
const manager = 'forkspacer.com/sleep'
/** How often the note is removed from a newer state of the object. */
const attempts = 5

/** The calls to the cluster of a release. */
export interface WorkloadCalls {
  readonly client: Client
  readonly live: LiveObjects
  readonly release: ReleaseKey
  readonly signal: AbortSignal
}

/** Changes the spec of a workload. Returns the changed object. */
export async function patchSpec(
  { resource, key }: ReleaseObject,
  { metadata: { uid } }: KubeObject,
  {
    calls: { client, signal },
    spec,
    note,
  }: { calls: WorkloadCalls; spec: object; note?: Record<string, string> },
): Promise<KubeObject> {
  const body = { metadata: { uid, ...(note && { annotations: note }) }, spec }
  return client.patch(resource, key, { type: 'merge', body, fieldManager: manager, signal })
}

/** Removes the note of a workload, and the manager of the fields of its sleep. */
export async function removeNote(
  object: ReleaseObject,
  live: KubeObject,
  { calls, annotation }: { calls: WorkloadCalls; annotation: string },
): Promise<void> {
  const { client, signal } = calls
  let now: KubeObject | undefined = live
  for (let attempt = 1; now; attempt++) {
    const { uid, resourceVersion, managedFields = [] } = now.metadata
    const others = managedFields.filter((entry) => (entry as { manager?: string }).manager !== manager)
    const metadata = { uid, resourceVersion, annotations: { [annotation]: null }, managedFields: others }
    try {
      const body = { metadata }
      await client.patch(object.resource, object.key, { type: 'merge', body, fieldManager: manager, signal })
      return
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error
      now = await calls.live.read(object)
    }
  }
}
