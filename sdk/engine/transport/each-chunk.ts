import type { Chunks, TakeChunk } from './transport.js'

/**
 * Calls `take` with each chunk, by `takeAll` if the chunks have it. Rejects with the error of the chunks or of `take`.
 */
export async function eachChunk(chunks: Chunks, take: TakeChunk): Promise<void> {
  if (chunks.takeAll) return chunks.takeAll(take)
  for await (const chunk of chunks) {
    const pause = take(chunk)
    if (pause !== undefined) await pause
  }
}
