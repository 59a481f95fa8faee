import type { RunEntry } from '../../../engine/inspector/explanation-view.js'
import type { ShardView } from '../../../engine/inspector/model.js'
import type { PairView } from '../../../engine/inspector/pair-model.js'
import { shardText } from '../../../engine/inspector/shard-text.js'
import { formatKey } from '../../../engine/kube/key.js'

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
      return `${name} is not copied, because ${conflictsWith} on the host is not its copy. Remove that object.`
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
