import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { SeenLines } from './seen.js'

/** The folder of the built programs in test/go, or the reason why there is none, for tap's `skip`. */
export interface GoPrograms {
  readonly folder: string
  readonly missing: string | false
}

/** Builds the programs if necessary. Rejects if they do not compile. */
export async function buildGoPrograms(): Promise<GoPrograms> {
  const missing = (why: string): GoPrograms => ({ folder: '', missing: why })
  if (spawnSync('go', ['version']).status !== 0)
    return missing('Go is not on the PATH; it is needed to build test/go')
  try {
    const { stdout } = await promisify(execFile)(join(import.meta.dirname, '../go/build'))
    return { folder: stdout.trim(), missing: false }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 3) {
      return missing('cannot fetch the modules of test/go')
    }
    throw error
  }
}

/** A running program. */
export interface GoProgram {
  /** The program's output. */
  readonly seen: SeenLines
  /** Resolves with the program's standard error when it has exited. */
  readonly exited: Promise<string>
  /** Sends a signal, and resolves when the program has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts a program with these environment variables. Those who wait for its output fail if it exits before. */
export function startGoProgram(file: string, env: Readonly<Record<string, string>>): GoProgram {
  const child: ChildProcess = spawn(file, { env: { PATH: process.env.PATH, ...env } })
  const seen = new SeenLines()
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaints += chunk
  })
  if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => seen.add(line))
  const exited = new Promise<string>((resolve) => child.once('close', () => resolve(complaints)))
  void exited.then(() => seen.end(`the program exited (${complaints.trim() || 'without an error'})`))
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await exited
  }
  return { seen, exited, end }
}
