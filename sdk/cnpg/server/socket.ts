import { constants } from 'node:fs'
import { access, chmod, lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { PluginError } from '../../engine/kube/error.js'

/** The longest path of a socket on Linux, in bytes. */
const maxPathBytes = 107
/** The mode of the socket: connecting needs write permission, and the operator may run as another user. */
const socketMode = 0o666

/**
 * The path of a plugin's socket, in the folder that the operator reads: every entry of that folder counts as a plugin.
 * Throws `PluginError` `INVALID_ADDRESS` if the path is too long.
 */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, name)
  const length = Buffer.byteLength(path)
  if (length <= maxPathBytes) return path
  const message = `the path of the socket ${path} has ${length} bytes, and a system allows ${maxPathBytes}: use a shorter --plugin-path`
  throw new PluginError('INVALID_ADDRESS', message)
}

/**
 * Checks that a socket can be created in its folder. Throws `PluginError` `CANNOT_LISTEN`, which names what is wrong.
 */
export async function checkFolder(path: string): Promise<void> {
  const folder = dirname(path)
  try {
    await access(`${folder}/.`, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const problem = folderProblems[code] ?? `the folder ${folder} cannot be used (${code})`
    throw cannotListenError(
      `cannot create the socket ${path}: ${problem.replace('FOLDER', folder)}; ${byHand}`,
    )
  }
}

const folderProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no folder FOLDER',
  ENOTDIR: 'FOLDER is not a folder',
  EACCES: 'this user may not write to FOLDER',
  EROFS: 'FOLDER is read-only',
}

/** The advice for a plugin outside a Pod of the operator or of an instance, which mounts the folder. */
const byHand =
  'to try the plugin on this machine, run vcluster-plugin dev; to serve it, pass --plugin-path with a folder, or --server-address with --server-cert, --server-key and --client-ca'

/**
 * Removes a socket that an earlier process left. Throws `PluginError` `CANNOT_LISTEN` if a process answers on it, or if
 * the file is not a socket, which must not be removed.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const fileStat = await lstat(path).catch(() => undefined)
  if (!fileStat) return
  if (!fileStat.isSocket())
    throw cannotListenError(`${path} exists and is not a socket: remove it, or use another --plugin-path`)
  if (await answers(path))
    throw cannotListenError(`another process serves ${path}: stop it, or use another --plugin-path`)
  await rm(path, { force: true })
}

/** Lets other users connect. */
export async function openToAll(path: string): Promise<void> {
  await chmod(path, socketMode)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

const cannotListenError = (message: string) => new PluginError('CANNOT_LISTEN', message)
