import { PermanentError } from '../kube/error.js'
import type { Key } from '../kube/key.js'

/**
 * A foreign object has the name that an object of the run needs, so it is left alone. The key runs again when the
 * foreign object changes or is deleted, and once a minute.
 *
 * @example
 * ```ts
 * const foreign = { namespace: ctx.targetNamespace, name: 'settings' }
 * const error = new NameConflictError(`ConfigMap ${formatKey(foreign)} belongs to somebody else`, foreign)
 * console.log(error.foreignKey.name) // settings
 * ```
 */
export class NameConflictError extends PermanentError {
  override readonly name = 'NameConflictError'
  /** The key of the foreign object. */
  readonly foreignKey: Key

  constructor(message: string, foreignKey: Key) {
    super(message)
    this.foreignKey = foreignKey
  }
}
