import type { Readable } from 'node:stream'
import type { Clock } from '../../engine/time/clock.js'
import { SecondBudget } from './second-budget.js'

/**
 * Reads a stream, at most some bytes a second: beyond that the other end waits. Otherwise a process that floods its
 * operator takes the operator's processor time. `onChunk` answers what a chunk counts, if that is more than its bytes.
 */
export function readThrottled(
  stream: Readable,
  { clock, bytesPerSecond }: { clock: Clock; bytesPerSecond: number },
  onChunk: (chunk: Buffer) => number,
): void {
  const budget = new SecondBudget(clock, bytesPerSecond)
  let cancel = () => {}
  stream.on('data', (chunk: Buffer) => {
    if (budget.spend(Math.max(chunk.length, onChunk(chunk)))) return
    stream.pause()
    cancel = clock.schedule(budget.waitMs(), () => stream.resume())
  })
  stream.once('close', () => cancel())
}
