import type { Chunks, TakeChunk } from './transport.js'

/**
 * Calls `take` with each chunk of a streamed answer, by `takeAll` if the chunks have it, which takes less time. If
 * `take` returns a promise, the next chunk waits for it. Rejects with the error of the chunks or of `take`.
 */
export async function eachChunk(chunks: Chunks, take: TakeChunk): Promise<void> {
  if (chunks.takeAll) return chunks.takeAll(take)
  for await (const chunk of chunks) {
    const pause = take(chunk)
    if (pause !== undefined) await pause
  }
}
