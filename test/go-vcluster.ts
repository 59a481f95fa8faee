import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { PrintedLines } from '../simulator/in-syncer/printed-lines.js'

/** A vcluster process that a test controls. */
export interface Caller {
  call(name: string, fields?: Record<string, unknown>): Promise<Answer>
  /** The lines of vcluster's own log. */
  readonly lines: readonly string[]
  line(text: string): Promise<string>
  /** Exits as a killed process does. */
  leave(): void
}

/** The result of a call. */
export interface Answer {
  error?: string
  config?: string
  object?: string
  mutated?: boolean
}

/** Whether the Go programs can be built here; {@link skipWithoutGo} is the reason for a skipped test. */
export const hasGo = (() => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    // Go is not installed.
    return false
  }
})()

/** The skip reason of a test that needs Go. */
export const skipWithoutGo = !hasGo && 'needs Go on the PATH'

/** Options of {@link startGoVCluster}. */
export interface GoVClusterOptions {
  /** The program, by its protocol. */
  program: 'in-syncer' | 'sidecar'
  args: readonly string[]
  env: Record<string, string>
}

/** Starts vcluster's side in Go, which receives calls as lines of JSON. */
export function startGoVCluster(t: Test, { program, args, env }: GoVClusterOptions): Caller {
  const programs = execFileSync('test/go/vcluster/build', { encoding: 'utf8' }).trim()
  const child = spawn(join(programs, program), args, { env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const printed = new PrintedLines()
  for (const stream of [child.stdout, child.stderr]) if (stream) printed.follow(stream)
  const answers = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    lines: printed.all,
    line: (text) => printed.waitFor(text),
    async call(name, fields = {}) {
      child.stdin?.write(`${JSON.stringify({ call: name, ...fields })}\n`)
      const { value } = await answers.next()
      return JSON.parse(value ?? '{"error":"the caller has exited"}')
    },
    leave: () => child.kill('SIGKILL'),
  }
}
