import type { Transport } from '../../sdk/engine/transport/transport.js'
import { until } from '../until.js'

/** The number of calls that a kube-apiserver has answered, by `VERB resource`, from its own metrics. */
export async function requestCounts(transport: Transport): Promise<Map<string, number>> {
  const { body } = await transport.request({ method: 'GET', path: '/metrics' })
  const counts = new Map<string, number>()
  for (const line of Buffer.from(body).toString().split('\n')) {
    if (!line.startsWith('apiserver_request_total{')) continue
    const label = (name: string) => line.match(new RegExp(`[{,]${name}="([^"]*)"`))?.[1] ?? ''
    const id = `${label('verb')} ${label('resource')}`
    counts.set(id, (counts.get(id) ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1)))
  }
  return counts
}

/** The most writes that a kube-apiserver was working on at a time within the last second, from its own metrics. */
export async function writesInProgress(transport: Transport): Promise<number> {
  const { body } = await transport.request({ method: 'GET', path: '/metrics' })
  const line = /^apiserver_current_inflight_requests\{request_kind="mutating"\} (\d+)$/m
  const [, count] = line.exec(Buffer.from(body).toString()) ?? []
  if (count === undefined) throw new Error('the API server does not report the writes in progress')
  return Number(count)
}

/** The increase of each count; only counts that changed. */
export function countsSince(before: Map<string, number>, after: Map<string, number>): Record<string, number> {
  const changed = [...after].map(([id, count]) => [id, count - (before.get(id) ?? 0)] as const)
  return Object.fromEntries(changed.filter(([, count]) => count !== 0))
}

/** The counts of writes to the resource. */
export function writesOf(resource: string, counts: Record<string, number>): Record<string, number> {
  const writes = ['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE', 'DELETECOLLECTION'].map(
    (verb) => `${verb} ${resource}`,
  )
  return Object.fromEntries(Object.entries(counts).filter(([id]) => writes.includes(id)))
}

/** Which writes {@link writesDuring} counts. */
export interface WritesOptions {
  /** To the API server that counts them. */
  transport: Transport
  /** For example `configmaps`. */
  resource: string
  /** The number of writes at which the count is complete. */
  atLeast: number
}

/**
 * The writes that the API server received during `work`. It counts a call after it has told the watches of the
 * change, so the work may be over before its last call is counted: waits for the number of `atLeast`, for ten seconds.
 */
export async function writesDuring(
  { transport, resource, atLeast }: WritesOptions,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await requestCounts(transport)
  await work()
  const counts = async () => writesOf(resource, countsSince(before, await requestCounts(transport)))
  const total = async () => Object.values(await counts()).reduce((sum, count) => sum + count, 0)
  // A count that stays too low is for the caller to compare.
  await until(async () => (await total()) >= atLeast, { withinMs: 10_000 }).catch(() => undefined)
  return counts()
}
