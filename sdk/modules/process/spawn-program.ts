import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import type { Duplex, Readable } from 'node:stream'
import { ProgramError } from '../program/program-error.js'
import { childCode } from './gen/child-code.js'
import { killAtExit } from './kill-at-exit.js'

/** A process that was started: its streams, and how it ends. */
export interface SpawnedProgram {
  readonly pid: number
  /** The connection for messages. */
  readonly channel: Duplex
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>
  kill(): void
}

/** Limits of the process. */
export interface SpawnOptions {
  /** The file of the program; the only one that the process can read. */
  readonly path: string
  /** The limit of its JavaScript heap, in MiB. */
  readonly memoryMb: number
}

/**
 * Starts Node with the code of the child: without environment, in an empty folder, by Node's permission model without files but the
 * program's, processes, threads, addons and WASI. Throws a {@link ProgramError} if Node cannot be started.
 */
export async function spawnProgram({ path, memoryMb }: SpawnOptions): Promise<SpawnedProgram> {
  const folder = await mkdtemp(join(dirname(path), 'run-'))
  try {
    const child = spawn(nodeProgram(), flags(path, memoryMb), {
      cwd: folder,
      // Node hands this variable on unless it is named here.
      env: { NODE_V8_COVERAGE: undefined },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    const spawned = spawnedProgram(child)
    void removeAfter(spawned, folder)
    await started(child)
    killAtExit(child)
    child.stdin.on('error', () => {})
    child.stdin.end(childCode)
    await endFirst(child.pid)
    return spawned
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ProgramError('PROGRAM_NOT_STARTED', `cannot start Node for a program: ${why}`, { cause })
  }
}

/** The flags of Node, which differ between its versions. */
function flags(path: string, memoryMb: number): string[] {
  const known = process.allowedNodeEnvironmentFlags
  return [
    known.has('--permission') ? '--permission' : '--experimental-permission',
    `--allow-fs-read=${path}`,
    `--max-old-space-size=${memoryMb}`,
    '--max-semi-space-size=8',
    '--no-addons',
    '--no-warnings',
    // SQLite opens files without asking the permission model.
    ...(known.has('--experimental-sqlite') ? ['--no-experimental-sqlite'] : []),
    '--input-type=module',
    '-',
  ]
}

function nodeProgram(): string {
  if (!/^ld[-.]/.test(basename(process.execPath))) return process.execPath
  throw new Error(
    'this Node was started by its own loader, as in the image for plugins inside vcluster; run Modules in a sidecar or an ' +
      'operator',
  )
}

function spawnedProgram(child: ChildProcess): SpawnedProgram {
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once('error', () => resolve({ exitCode: null, signal: null }))
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  return {
    pid: child.pid ?? 0,
    channel: child.stdio[3] as Duplex,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    ended,
    kill: () => {
      child.kill('SIGKILL')
      // Its output is not read any more. Otherwise a flood delays its end.
      for (const stream of child.stdio) stream?.destroy()
    },
  }
}

async function removeAfter({ ended }: SpawnedProgram, folder: string): Promise<void> {
  await ended
  await rm(folder, { recursive: true, force: true }).catch(() => {})
}

const started = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })

/** Asks Linux to end this process before others when memory runs out. */
async function endFirst(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {})
}
