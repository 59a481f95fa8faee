/**
 * A change of a definition that objects, clients or controllers notice. An `error` breaks objects that exist; a
 * `warning` lets them stay as long as the changed part of them stays, which Kubernetes calls ratcheting.
 */
export interface DefinitionDifference {
  readonly level: 'error' | 'warning'
  /** The version of the kind; left out for changes of the whole definition. */
  readonly version?: string
  /** For example `spec.disk.size` or `spec.rules[]`; for changes of the whole definition its field. */
  readonly path: string
  /** The change and its consequence. */
  readonly message: string
}

/** A difference as one sentence. */
export function formatDifference({ version, path, message }: DefinitionDifference): string {
  return `${version === undefined ? '' : `${version}: `}${path}: ${message}`
}
