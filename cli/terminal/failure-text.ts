import { ApiError, PluginError } from '../../sdk/engine/kube/error.js'
import { NetworkError } from '../../sdk/engine/kube/network-error.js'

/** The text of an error: one sentence for an expected failure, the stack for a bug. */
export function failureText(error: unknown): string {
  if (error instanceof PluginError || error instanceof NetworkError || error instanceof ApiError)
    return error.message
  if (!(error instanceof Error)) return String(error)
  return systemFailure(error) ?? error.stack ?? error.message
}

/** The sentence about a file that the system refused to read or write; undefined for any other error. */
export function systemFailure(error: Error): string | undefined {
  const { code = '', path, dest, syscall = '' }: NodeJS.ErrnoException & { dest?: string } = error
  const [reason, advice] = problems[code] ?? []
  const file = dest ?? path ?? (diskCodes.has(code) ? 'a file' : undefined)
  if (reason === undefined || file === undefined) return undefined
  return `cannot ${actions[syscall] ?? 'use'} ${file}: ${reason} (${code}); ${advice}`
}

/** Why the system refused a file: `the disk is full (ENOSPC)`; undefined for any other error. */
export function systemReason(error: unknown): string | undefined {
  const { code = '' }: NodeJS.ErrnoException = Object(error)
  const [reason] = problems[code] ?? []
  return reason && `${reason} (${code})`
}

const actions: Readonly<Record<string, string>> = {
  open: 'open',
  mkdir: 'create the folder',
  mkdtemp: 'create the folder',
  scandir: 'read the folder',
  read: 'read',
  write: 'write',
  copyfile: 'write',
  rename: 'write',
  unlink: 'remove',
  rm: 'remove',
  rmdir: 'remove',
}

/** Node does not say which file it could not write to a full disk. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

const chooseAnother = 'choose another place, or change its permissions'

/** The problems of files that a user can mend, with what to do. */
const problems: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  EACCES: ['you have no permission', chooseAnother],
  EPERM: ['you have no permission', chooseAnother],
  EROFS: ['the file system is read-only', 'choose another place'],
  ENOSPC: ['the disk is full', 'free some space, or choose another place'],
  EDQUOT: ['your quota of the disk is used up', 'free some space, or choose another place'],
  ENOENT: ['it does not exist, or its folder cannot have new files', 'check the path'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'check the path'],
  EISDIR: ['it is a folder, not a file', 'check the path'],
  EEXIST: ['it exists already', 'choose another place, or remove it'],
  EMFILE: ['this process has too many open files', 'raise the limit with ulimit -n'],
}
