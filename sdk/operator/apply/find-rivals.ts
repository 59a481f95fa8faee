import { fewNames } from '../../engine/kube/few-names.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ApplyRequest } from './apply-request.js'
import { conflictsOf } from './field-conflict.js'

/** The fields of an intent that others manage, and these managers, in the words of the API server. Changes nothing. */
export async function findRivals<T extends KubeObject>(
  { cluster, resource }: ApplyRequest<T>,
  intent: T,
  fieldManager: string,
): Promise<string[]> {
  const options = { type: 'apply', fieldManager, force: false, dryRun: true } as const
  try {
    await cluster.client.patch(resource, keyOf(intent), { ...options, body: intent })
    return []
  } catch (error) {
    return conflictsOf(error)
  }
}

/** The message for contested fields: which managers write them, and what to do. */
export function contestMessage(
  object: string,
  {
    paths,
    rivals,
    fieldManager,
  }: { paths: readonly string[]; rivals: readonly string[]; fieldManager: string },
): string {
  const fields = fewNames(paths)
  const others = rivals.length > 0 ? `others (${fewNames(rivals)})` : 'others'
  return (
    `${object}: ${fields} is set to different values by ${fieldManager} and by ${others}, again and again. Let one of them ` +
    'decide: leave the field out of ctx.apply and name it in release, or change the other program. Until then it is put right ' +
    'more and more rarely.'
  )
}
