import type { IncomingMessage } from 'node:http'
import { closedError } from './http1-exchange.js'

/** Options of {@link readWhole}. */
export interface ReadWholeOptions {
  /** The maximum size of the body, in bytes. */
  maxBytes: number
  /** Called when the body is larger, to end the answer. */
  onTooLarge: () => void
}

/** Reads the whole body of an answer. */
export function readWhole(answer: IncomingMessage, options: ReadWholeOptions): Promise<Buffer> {
  const { maxBytes, onTooLarge } = options
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    answer
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) onTooLarge()
      })
      .once('end', () => resolve(concatChunks(chunks)))
      .once('error', reject)
      .once('close', () => reject(closedError()))
  })
}

function concatChunks(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}
