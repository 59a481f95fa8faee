import { FailedAttempt } from './attempt.js'
import type { Chunks } from './transport.js'

/** Options of {@link openBody}. */
export interface OpenBodyOptions {
  chunks: Chunks
  /** Converts a failure to the error for the caller. */
  explained: (failed: FailedAttempt) => unknown
  /** Called when the chunks have ended, or their reader has stopped. */
  onEnd: () => void
}

/** The body of an answer for a caller: its errors say which call failed, and its end is reported. */
export function openBody(options: OpenBodyOptions): Chunks {
  const { chunks, explained, onEnd } = options
  const body: Chunks = iterateBody(options)
  if (chunks.takeAll)
    body.takeAll = async (take) => {
      try {
        await chunks.takeAll?.(take)
      } catch (error) {
        // Other errors are those of `take`.
        throw error instanceof FailedAttempt ? explained(error) : error
      } finally {
        onEnd()
      }
    }
  return body
}

async function* iterateBody({ chunks, explained, onEnd }: OpenBodyOptions): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw explained(new FailedAttempt(error, { sent: true }))
  } finally {
    onEnd()
  }
}
