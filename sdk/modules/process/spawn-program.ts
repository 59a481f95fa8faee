import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { basename } from 'node:path'
import process from 'node:process'
import type { Duplex, Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { ProgramError } from '../program/program-error.js'
import type { BoundaryKind } from './boundary/boundary.js'
import { launchOf } from './boundary/launch.js'
import { pathOnly } from './boundary/probe-boundary.js'
import { makeRunFolder, type RunFolder } from './boundary/run-folder.js'
import { childCode } from './gen/child-code.js'
import { killAtExit } from './kill-at-exit.js'

/** A started process: its streams and its end. */
export interface SpawnedProgram {
  readonly pid: number
  /** The URL of the program, as the process sees it. */
  readonly url: string
  /** The connection for messages. */
  readonly channel: Duplex
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>
  kill(): void
}

/** Limits of the process. */
export interface SpawnOptions {
  /** The file of the program; the only one that the process can read. */
  readonly path: string
  /** The limit of its JavaScript heap, in MiB. */
  readonly memoryMb: number
  /** The boundary between the operator and the process. */
  readonly boundary: BoundaryKind
  /** Whether the process may use the network. */
  readonly network: boolean
}

/**
 * Starts Node with the code of the child: behind a boundary of the kernel, in a session of its own, without
 * environment, in an empty folder, by Node's permission model without files but the program's, processes, threads,
 * addons and WASI. Throws a {@link ProgramError} if Node cannot be started.
 */
export async function spawnProgram(options: SpawnOptions): Promise<SpawnedProgram> {
  const run = await makeRunFolder(options.boundary, options.path)
  try {
    const child = startNode(run, options)
    const spawned = spawnedProgram(child, run, options.boundary)
    void spawned.ended.then(() => run.remove())
    await started(child)
    killAtExit(child)
    child.stdin?.on('error', () => {})
    child.stdin?.end(childCode)
    await endFirst(child.pid)
    return spawned
  } catch (cause) {
    await run.remove()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ProgramError('PROGRAM_NOT_STARTED', `cannot start Node for a program: ${why}`, { cause })
  }
}

function startNode({ folder, file }: RunFolder, { memoryMb, network, boundary }: SpawnOptions): ChildProcess {
  const args = flags(file, { memoryMb, network })
  const {
    command,
    args: launchArgs,
    uid,
    gid,
  } = launchOf(boundary, { folder, file, node: nodeProgram(), args, network })
  return spawn(command, launchArgs, {
    cwd: folder,
    // Node hands NODE_V8_COVERAGE on unless it is named here. Programs of util-linux need a path; the program does not
    // get it.
    env: { NODE_V8_COVERAGE: undefined, ...(boundary === 'namespaces' && pathOnly()) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // A session of its own: a signal to the process group, which needs no number of a process, would else reach the
    // operator.
    detached: process.platform !== 'win32',
    ...(uid !== undefined && { uid, gid }),
  })
}

/** The flags of Node, which differ between its versions. */
function flags(file: string, { memoryMb, network }: { memoryMb: number; network: boolean }): string[] {
  const allowed = process.allowedNodeEnvironmentFlags
  return [
    allowed.has('--permission') ? '--permission' : '--experimental-permission',
    `--allow-fs-read=${file}`,
    ...(network && allowed.has('--allow-net') ? ['--allow-net'] : []),
    ...(allowed.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []),
    `--max-old-space-size=${memoryMb}`,
    '--max-semi-space-size=8',
    '--no-addons',
    '--no-warnings',
    // SQLite opens files without asking the permission model.
    ...(allowed.has('--experimental-sqlite') ? ['--no-experimental-sqlite'] : []),
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

function spawnedProgram(child: ChildProcess, { file }: RunFolder, boundary: BoundaryKind): SpawnedProgram {
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once('error', () => resolve({ exitCode: null, signal: null }))
    child.once('close', (exitCode, signal) =>
      resolve(boundary === 'namespaces' ? endInside(exitCode, signal) : { exitCode, signal }),
    )
  })
  return {
    pid: child.pid ?? 0,
    url: pathToFileURL(file).href,
    channel: child.stdio[3] as Duplex,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    ended,
    kill: () => {
      child.kill('SIGKILL')
      // The output is not read any more, because a flood of output would delay the end of the process.
      for (const stream of child.stdio) stream?.destroy()
    },
  }
}

/** The shell around Node says by its exit code which signal ended Node. */
function endInside(exitCode: number | null, signal: string | null) {
  const [name] = Object.entries(constants.signals).find(([, number]) => number + 128 === exitCode) ?? []
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name }
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
