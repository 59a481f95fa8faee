/** Backs up and restores the data of an etcd as operators do. */
import type { ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'

/** Copies an etcd's folder while the process is suspended, as after a crash. Returns the path of the copy. */
export async function copyData(folder: string, etcd: ChildProcess): Promise<string> {
  const copy = await mkdtemp(`${folder}-backup-`)
  etcd.kill('SIGSTOP')
  try {
    await cp(folder, copy, { recursive: true })
  } finally {
    etcd.kill('SIGCONT')
  }
  return copy
}

/** Replaces the folder of a stopped etcd by a copy, or by nothing. */
export async function replaceData(folder: string, copy: string | undefined): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  if (copy !== undefined) await cp(copy, folder, { recursive: true })
}
