import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'

/** A folder that no other `dev` of this user writes to. */
export interface ClaimedFolder {
  readonly dir: string
  release(): Promise<void>
}

/** The largest number of runs of `dev` at a time with folders below the same folder. */
const maxRuns = 20

/**
 * Claims a folder, or a new one in it if another `dev` uses it: `DIR/2` for the second one. Throws `PluginError`
 * `CANNOT_LISTEN`.
 */
export async function claimFolder(dir: string): Promise<ClaimedFolder> {
  for (let run = 1; run <= maxRuns; run++) {
    const folder = run === 1 ? dir : join(dir, String(run))
    const release = await claim(folder)
    if (release) return { dir: folder, release }
  }
  throw new PluginError(
    'CANNOT_LISTEN',
    `${maxRuns} runs of dev use ${dir}; choose another folder with --dir`,
  )
}

/**
 * Claims the folder in which `dev --state` keeps objects. Throws `PluginError` `CANNOT_LISTEN` if another `dev` writes
 * to it.
 */
export async function claimState(dir: string): Promise<ClaimedFolder> {
  const release = await claim(dir)
  if (release) return { dir, release }
  const message = `another dev keeps its objects in ${dir}; stop it, or choose another folder with --state`
  throw new PluginError('CANNOT_LISTEN', message)
}

/**
 * The socket that a process listens on while it uses a folder. The system closes the socket when the process ends, also
 * after a crash. A file with the process ID could then name another process.
 */
export function socketOf(dir: string, platform = process.platform): string {
  const hash = createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 16)
  const name = `vcluster-plugin-dev-${userInfo().uid}-${hash}`
  return platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

/** Claims a folder and returns a function that releases it; undefined if another process has the folder. */
async function claim(dir: string): Promise<(() => Promise<void>) | undefined> {
  const path = socketOf(dir)
  const server = (await listen(path)) ?? ((await isListening(path)) ? undefined : await replaceSocket(path))
  return server && (() => new Promise((closed) => server.close(() => closed())))
}

/** Removes the socket of a process that has ended without removing it, and listens there. */
async function replaceSocket(path: string): Promise<Server | undefined> {
  await unlink(path).catch(() => {})
  return listen(path)
}

/** Listens on a socket; undefined if another process does, or has left its file. */
function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((settle, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? settle(undefined) : reject(error),
    )
    server.listen(path, () => settle(server.unref()))
  })
}

/** Whether a process answers at a socket. */
function isListening(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(path)
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
    socket.once('connect', () => socket.destroy())
  })
}
