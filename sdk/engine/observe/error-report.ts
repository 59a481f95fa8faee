import { ApiError } from '../kube/error.js'
import { causedBy, type OwnFramesOptions, ownFrames } from './own-frames.js'
import { causesOf, isTransient } from './transient-error.js'

/** An error as it is shown to a developer. */
export interface ErrorReport {
  readonly message: string
  /** The stack frames in the plugin's own code, innermost first; empty for errors of an API server or a network. */
  readonly frames: readonly string[]
}

/** An error, or its fields in a log line. */
interface ErrorLike {
  readonly message?: unknown
  readonly stack?: unknown
}

/** Makes the report of a thrown error, or of the object that represents the error in a log line. */
export function errorReport(error: unknown, options?: OwnFramesOptions): ErrorReport {
  const { message = error } = (typeof error === 'object' && error !== null ? error : {}) as ErrorLike
  const frames = error instanceof ApiError || isTransient(error) ? [] : ownFrames(stackOf(error), options)
  return { message: String(message), frames }
}

/** The stacks of an error and its causes as one text, as a log line contains them. */
function stackOf(error: unknown): string {
  const stacks = causesOf(error).map(({ stack }: ErrorLike) => (typeof stack === 'string' ? stack : ''))
  return stacks.join(causedBy)
}
