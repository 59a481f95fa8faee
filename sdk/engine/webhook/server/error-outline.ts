import { ReviewError } from '../review/review-error.js'

/** An error of user code as a log line may show it. */
export interface ErrorOutline {
  readonly type: string
  /** The message, only for errors whose messages contain no content of objects. */
  readonly message?: string
  /** The stack frames. */
  readonly frames?: readonly string[]
}

/** The type of an error and where it was thrown. The message of user code may quote an object, so it is left out. */
export function errorOutline(error: unknown): ErrorOutline {
  if (!(error instanceof Error)) return { type: typeof error }
  if (error instanceof ReviewError) return { type: error.name, message: error.message }
  // The stack begins with the message, which may have lines that look like frames.
  const frames = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
  return { type: error.constructor.name, frames: frames.slice(0, 5).map((line) => line.trim()) }
}
