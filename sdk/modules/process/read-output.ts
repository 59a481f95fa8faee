import type { Readable } from 'node:stream'
import type { Clock } from '../../engine/time/clock.js'
import { PrintedLines } from './printed-lines.js'
import { readThrottled } from './throttle.js'

const bytesPerSecond = 1024 * 1024
/**
 * The most characters of a line that are kept: one more than the log writes, so that the log shows that a line was cut.
 */
const maxLineChars = 4_097

/**
 * Calls `onLine` for each line that the process of a program prints. Each stream is read at most at 1 MiB per second,
 * so that a program that prints without end does not use up the operator's CPU time.
 */
export function readOutput(
  streams: { readonly stdout: Readable; readonly stderr: Readable },
  clock: Clock,
  onLine: (stream: 'stdout' | 'stderr', line: string) => void,
): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const lines = new PrintedLines(maxLineChars, (line) => onLine(name, line))
    readThrottled(streams[name], { clock, bytesPerSecond }, (chunk) => {
      lines.push(chunk)
      // The limit counts the bytes of the chunk.
      return chunk.length
    })
    streams[name].once('end', () => lines.end())
  }
}
