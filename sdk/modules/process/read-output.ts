import type { Readable } from 'node:stream'
import type { Clock } from '../../engine/time/clock.js'
import { PrintedLines } from './printed-lines.js'
import { readThrottled } from './throttle.js'

const bytesPerSecond = 1024 * 1024
/** One character more than the log writes, so that the log shows that a longer line was cut. */
const maxLine = 4_097

/** Reads the output of a process line by line, at most 1 MiB per second of each stream. */
export function readOutput(
  streams: { readonly stdout: Readable; readonly stderr: Readable },
  clock: Clock,
  onLine: (stream: 'stdout' | 'stderr', line: string) => void,
): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const lines = new PrintedLines(maxLine, (line) => onLine(name, line))
    readThrottled(streams[name], { clock, bytesPerSecond }, (chunk) => {
      lines.push(chunk)
      return chunk.length
    })
    streams[name].once('end', () => lines.end())
  }
}
