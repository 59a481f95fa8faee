import type { Key } from '../kube/key.js'

/** The author of a write: a run of a controller. */
export interface Writer {
  /** The name of the controller. */
  readonly controller: string
  /** The key of the run. */
  readonly key: Key
}

/** Whether a run of this key wrote the change itself, and the API server stored it unchanged. */
export function isWrittenBy(
  { writtenBy }: { readonly writtenBy?: Writer },
  { controller, key }: Writer,
): boolean {
  if (writtenBy?.controller !== controller) return false
  return writtenBy.key.name === key.name && writtenBy.key.namespace === key.namespace
}
