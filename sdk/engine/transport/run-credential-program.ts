import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../time/clock.js'
import type { ExecPlugin } from './kubeconfig.js'

/** How long the program may take, in milliseconds. */
const timeoutMs = 60_000
/** The time between SIGTERM and SIGKILL, in milliseconds. */
const graceMs = 2000
/**
 * How long the output is read after the program has ended, in milliseconds: a process that the program left behind may
 * hold the pipe open.
 */
const drainMs = 500
const maxOutputBytes = 1024 * 1024

/** Options of {@link runCredentialProgram}. */
export interface RunCredentialProgramOptions {
  /** The program's name in messages. */
  name: string
  env: NodeJS.ProcessEnv
  clock: Clock
  /** Ends the program. */
  signal: AbortSignal
}

/**
 * Runs an exec plugin and resolves with what it printed, when it has exited with status 0. The program gets a process
 * group of its own. When the program has ended, took too long or is no longer needed, the remaining processes of the
 * group are ended, by SIGTERM and two seconds later by SIGKILL. A program that ignores SIGTERM, or leaves a process
 * that holds its output, delays no call.
 *
 * Rejects with a message that contains neither arguments nor output, because either may be a secret.
 */
export async function runCredentialProgram(
  exec: ExecPlugin,
  { name, env, clock, signal }: RunCredentialProgramOptions,
): Promise<string> {
  signal.throwIfAborted()
  const child = spawn(exec.command, exec.args, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const output = new Output(child.stdout)
  const run: Run = { child, output, name, exec, clock, signal }
  try {
    await waitForExit(run)
    await waitForOutput(run)
    return output.text
  } finally {
    child.stdout.destroy()
    endGroup(child, clock)
  }
}

interface Run {
  child: ChildProcess
  output: Output
  name: string
  exec: ExecPlugin
  clock: Clock
  signal: AbortSignal
}

/** Resolves when the program exited with status 0, rejects when it did not, took too long or printed too much. */
function waitForExit({ child, output, name, exec, clock, signal }: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new Error(message.trim()))
    const seconds = timeoutMs / 1000
    const cancel = clock.schedule(timeoutMs, () =>
      fail(`${name} did not end within ${seconds} s and was killed; run it by hand.`),
    )
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    output.onTooLong = () => fail(`${name} printed more than ${maxOutputBytes} bytes; run it by hand.`)
    const over = () => {
      cancel()
      signal.removeEventListener('abort', onAbort)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      over()
      // Not as the cause, because the error contains the arguments, and one of them may be a secret.
      fail(`${name} did not start (${error.code}). ${exec.installHint}`)
    })
    child.once('exit', (code, killedBy) => {
      over()
      if (code === 0) resolve()
      else fail(`${name} failed (${killedBy ?? `exit code ${code}`}); run it by hand.`)
    })
  })
}

/** Resolves when all output is read, or when no more output can be expected. */
function waitForOutput({ output, clock }: Run): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(drainMs, resolve)
    output.whenRead(() => {
      cancel()
      resolve()
    })
  })
}

/** Reads a program's standard output up to a limit. */
class Output {
  readonly #chunks: Buffer[] = []
  readonly #stream: Readable
  #bytes = 0
  onTooLong = () => {}

  constructor(stream: Readable) {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => this.#keep(chunk))
    // A broken pipe ends the output; the reader finds out whether the output is complete.
    stream.on('error', () => {})
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }

  whenRead(callback: () => void): void {
    if (this.#stream.readableEnded || this.#stream.destroyed) callback()
    else this.#stream.once('close', callback)
  }

  #keep(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > maxOutputBytes) this.onTooLong()
    else this.#chunks.push(chunk)
  }
}

/** Ends all processes of the program's process group. */
function endGroup(child: ChildProcess, clock: Clock): void {
  if (!signalGroup(child, 'SIGTERM')) return
  const kill = () => signalGroup(child, 'SIGKILL')
  const cancel = clock.schedule(graceMs, () => {
    process.removeListener('exit', kill)
    kill()
  })
  // If this process ends in the meantime, the group is killed at once.
  process.once('exit', kill)
  child.once('exit', () => {
    if (isGroupGone(child)) {
      cancel()
      process.removeListener('exit', kill)
    }
  })
}

/** Returns whether there was a process to signal. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined) return false
  try {
    // Windows has no process groups: there the program alone is ended.
    return process.platform === 'win32' ? child.kill(signal) : process.kill(-child.pid, signal)
  } catch {
    // The group has no process left.
    return false
  }
}

function isGroupGone({ pid }: ChildProcess): boolean {
  try {
    return pid === undefined || !process.kill(-pid, 0)
  } catch {
    // ESRCH says so.
    return true
  }
}
