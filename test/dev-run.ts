import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The root of this repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** The end of a program under test. */
export interface ProgramEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

/** `vcluster-plugin` as a child process, driven by signals and read line by line. */
export class DevRun {
  /** Standard output so far. */
  readonly lines: string[] = []
  /** Standard error so far. */
  readonly errors: string[] = []
  /** Resolves when the program has exited and its output is read. */
  readonly ended: Promise<ProgramEnd>
  readonly #child: ChildProcess
  #read = 0
  #tell = () => {}

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, ['bin/vcluster-plugin.js', ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#collect(this.#child.stdout, this.lines)
    this.#collect(this.#child.stderr, this.errors)
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal })
        this.#tell()
      })
    })
  }

  /** The next line that matches, after the previous match. Rejects if the program exits without it. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = this.#find(pattern)
      if (found) return found
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw this.#without(pattern)
      await new Promise<void>((resolve) => {
        this.#tell = resolve
      })
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  #find(pattern: RegExp): RegExpExecArray | undefined {
    for (const [index, line] of this.lines.entries()) {
      const match = index >= this.#read && pattern.exec(line)
      if (!match) continue
      this.#read = index + 1
      return match
    }
    return undefined
  }

  #without(pattern: RegExp): Error {
    return new Error(`the program exited without ${pattern}:\n${[...this.lines, ...this.errors].join('\n')}`)
  }

  #collect(output: ChildProcess['stdout'], into: string[]): void {
    if (!output) return
    createInterface({ input: output }).on('line', (line) => {
      into.push(line)
      this.#tell()
    })
  }
}

/** Whether a program listens on a loopback port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // ESRCH: the process does not exist.
    return false
  }
}
