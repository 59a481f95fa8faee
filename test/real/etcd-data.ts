/** What an etcd holds, copied and put back as its operators do it. */
import type { ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'

/** Copies an etcd's folder while the process stands still, as a crash would leave it; answers where to, beside it. */
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

/** Puts a copy in the place of an etcd's folder, whose process has ended; without one it begins with nothing. */
export async function replaceData(folder: string, copy: string | undefined): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  if (copy !== undefined) await cp(copy, folder, { recursive: true })
}
