import { formatKey } from '../kube/key.js'
import type { RunEntry } from './explanation-view.js'
import type { ShardView } from './model.js'
import type { PairView } from './pair-model.js'

/** Options of {@link summaryOf}. */
export interface SummaryOptions {
  view: PairView
  shard: ShardView | null
  conflictsWith: string | undefined
  lastRun: RunEntry | undefined
  /** Whether a foreign object has the copy's name. */
  isStrange: boolean
}

/** The state of a pair and its reason, in one or two sentences. */
export function summaryOf({ view, shard, conflictsWith, lastRun, isStrange }: SummaryOptions): string {
  const { kind, host, failures, hasVirtual, hasHost, dueInMs } = view
  const name = `${kind} ${formatKey(view)}`
  const because = lastRun?.error === undefined ? '' : ` The last run failed: ${lastRun.error}`
  const next = dueInMs === null ? '' : ` It is looked at again in ${Math.ceil(dueInMs / 1000)} s.`
  if (shard && !shard.isOurs)
    return `${name} is in ${shardText(shard)}.${shard.holder ? ' Ask that replica.' : ''}`
  switch (view.state) {
    case 'quarantined':
      return `${name} failed ${failures} times in a row and is tried once a minute at most.${next}${because}`
    case 'name conflict':
      return `${name} is not copied, because ${conflictsWith} on the host is not its copy. Remove or rename that object.`
    case 'given up':
      return `${name} is left as it is until it changes.${because}`
    case 'pending':
      return `${name} waits for a run, or is worked on.${next}${because}`
    case 'left alone':
      return `${name} is left alone, because another controller looks after it.`
    case 'not copied':
      return `${name} has no counterpart: the syncer made none${isStrange ? `, and the object ${host} is not its copy` : ''}.`
    case 'in sync':
      return hasVirtual || hasHost
        ? `${name} is in sync${host ? ` with ${host}` : ''}.${next}`
        : `There is no ${name}.`
  }
}

/** A sentence about a shard and the replica that serves it. */
export function shardText({ shard, count, isOurs, holder }: ShardView): string {
  const who = isOurs ? 'this replica serves' : holder === null ? 'no replica serves now' : `${holder} serves`
  return `shard ${shard} of ${count}, which ${who}`
}
