import type { Client } from '../../sdk/engine/client/client.js'
import { playJobs } from '../../test/helm/play-jobs.js'

/** Runs `use` while the Pods of Jobs, which no node runs, succeed. */
export async function withEndedJobs<T>(client: Client, use: () => Promise<T>): Promise<T> {
  const ended = new AbortController()
  const played = playJobs(client, ended.signal)
  try {
    return await use()
  } finally {
    ended.abort()
    await played
  }
}
