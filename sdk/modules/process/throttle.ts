import type { Readable } from 'node:stream'
import type { Clock } from '../../engine/time/clock.js'
import { SecondBudget } from './second-budget.js'

/**
 * Reads a stream with a limit of bytes per second; beyond the limit the other end waits. Otherwise a process that
 * floods the operator uses up its CPU time. `onChunk` returns the number of bytes that a chunk counts as, at least its
 * size.
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
