import { EventEmitter } from 'node:events'
import type { Clock } from '../../../engine/time/clock.js'
import { formatHclog, type HclogLevel, shortenLine } from './hclog.js'

type Write = (text: string) => void

/** The two standard streams of a process, with the members that are replaced. */
export interface ProcessStreams {
  stdout: Pick<NodeJS.WriteStream, 'write'>
  stderr: Pick<NodeJS.WriteStream, 'write' | 'on'>
}

/** Called with each chunk that the plugin prints. */
export type PrintListener = (data: Uint8Array) => void

/**
 * Standard output and error of a plugin that a vcluster process has started. Standard output carries one line, the
 * handshake: a line before it ends vcluster's start, and later lines are dropped. So everything that the program prints
 * is redirected: standard output goes to vcluster's standard output through go-plugin's stdio stream. Standard error,
 * and standard output until somebody reads that stream, become log lines that vcluster prints.
 */
export class StandardStreams {
  readonly #toStdout: Write
  readonly #toStderr: Write
  readonly #clock: Pick<Clock, 'date'>
  readonly #printed = new EventEmitter<{ data: [Uint8Array] }>()
  readonly #restore: () => void

  constructor({ stdout, stderr }: ProcessStreams, clock: Pick<Clock, 'date'>) {
    this.#clock = clock
    this.#toStdout = stdout.write.bind(stdout)
    this.#toStderr = stderr.write.bind(stderr)
    const { write: out } = stdout
    const { write: error } = stderr
    const rests = { out: new Lines(), error: new Lines() }
    stdout.write = writeReplacement((data) => {
      if (!this.#printed.emit('data', data)) rests.out.take(data, (line) => this.log('info', line))
    })
    stderr.write = writeReplacement((data) => rests.error.take(data, (line) => this.log('error', line)))
    // The reader, which is the vcluster process, is gone; the watch of the parent ends the plugin.
    stderr.on('error', () => {})
    this.#restore = () => Object.assign(stdout, { write: out }) && Object.assign(stderr, { write: error })
  }

  /** Writes the one line that standard output is for. */
  handshake(line: string): void {
    this.#toStdout(line)
  }

  /** Writes a log line that has hclog's form already. */
  line(line: string): void {
    this.#toStderr(shortenLine(line))
  }

  /** Writes one log line, at once and in whole. */
  log(level: HclogLevel, message: string, fields: Record<string, unknown> = {}): void {
    this.#toStderr(formatHclog({ level, message, fields, date: this.#clock.date() }))
  }

  /** Passes everything printed on standard output to `listener` from now on. The returned function ends that. */
  read(listener: PrintListener): () => void {
    this.#printed.on('data', listener)
    return () => this.#printed.off('data', listener)
  }

  /** Lets the process print as before. */
  release(): void {
    this.#restore()
  }
}

/** Collects text into whole lines. */
class Lines {
  #rest = ''

  take(data: Uint8Array, onLine: (line: string) => void): void {
    const lines = (this.#rest + Buffer.from(data).toString()).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') onLine(line)
  }
}

/** A replacement of `write`, with its callback in the two places that Node allows. */
function writeReplacement(take: PrintListener): NodeJS.WriteStream['write'] {
  return (data: string | Uint8Array, ...rest: unknown[]) => {
    take(typeof data === 'string' ? Buffer.from(data) : data)
    const done = rest.find((one) => typeof one === 'function')
    if (done) queueMicrotask(() => done(null))
    return true
  }
}
