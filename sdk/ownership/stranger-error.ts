import { PermanentError } from '../kube/error.js'
import { formatKey, type Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'

/**
 * A host object bears the name of a copy and is not provably ours, so it is left alone. The key comes back
 * when that object changes or leaves, and slowly by itself.
 */
export class StrangerError extends PermanentError {
  override readonly name = 'StrangerError'
  /** Where the stranger stands in the host cluster. */
  readonly hostKey: Key

  constructor(resource: Pick<Resource, 'kind'>, key: Key, hostKey: Key) {
    super(
      `${resource.kind} ${formatKey(key)} cannot be copied: the host object ${formatKey(hostKey)} is not a copy of it. ` +
        'Remove or rename that object, or give the virtual object another name.',
    )
    this.hostKey = hostKey
  }
}
