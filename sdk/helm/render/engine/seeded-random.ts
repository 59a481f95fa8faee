import { createHash } from 'node:crypto'

/** Fills a buffer with random bytes. */
export type RandomBytes = (bytes: Uint8Array) => void

const blockBytes = 32

/** Random bytes that a seed determines: equal seeds give equal streams. */
export function seededRandom(seed: string): RandomBytes {
  let counter = 0
  return (bytes) => {
    for (let offset = 0; offset < bytes.length; offset += blockBytes) {
      const block = createHash('sha256').update(seed).update(`:${counter++}`).digest()
      bytes.set(block.subarray(0, Math.min(blockBytes, bytes.length - offset)), offset)
    }
  }
}
