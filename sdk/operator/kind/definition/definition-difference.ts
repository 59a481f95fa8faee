/**
 * A change of a CustomResourceDefinition that affects objects, clients or controllers. An `error`
 * breaks existing objects. After a `warning`, existing objects that violate the new definition can still be updated as
 * long as the update leaves the violating fields as they are (validation ratcheting of Kubernetes 1.30 and later).
 */
export interface DefinitionDifference {
  readonly level: 'error' | 'warning'
  /** The version of the kind; absent for changes of the whole definition. */
  readonly version?: string
  /** The path in objects, such as `spec.disk.size` or `spec.rules[]`; for the whole definition, its own field. */
  readonly path: string
  /** The change and its consequence. */
  readonly message: string
}

/** A difference as one sentence. */
export function formatDifference({ version, path, message }: DefinitionDifference): string {
  return `${version === undefined ? '' : `${version}: `}${path}: ${message}`
}
