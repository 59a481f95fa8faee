import { PermanentError } from '../../engine/kube/error.js'

/** Error for an effect that may have been created before the process ended: a person has to check. */
export class CreationUncertainError extends PermanentError {
  override readonly name = 'CreationUncertainError'

  constructor(effect: string, token: string, retryAnnotation: string) {
    super(
      `effect ${effect}: the process ended while it created the thing with token ${token}, and find answers "unknown". Look ` +
        `whether the thing exists; then set the annotation ${retryAnnotation}: ${effect} to create it again.`,
    )
  }
}
