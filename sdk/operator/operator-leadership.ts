import { createClient } from '../engine/client/create-client.js'
import type { Leadership } from '../engine/leader/leadership.js'
import { leaseLeadership } from '../engine/leader/lease-leadership.js'
import { shardLeadership } from '../engine/leader/shard-leadership.js'
import { unelected } from '../engine/leader/unelected.js'
import type { Logger } from '../engine/observe/logger.js'
import type { Clock } from '../engine/time/clock.js'
import type { OpenedClusters, OperatorOptions } from './operator-options.js'

/** The namespace of the operator: that of its Lease and of the Secret of its webhooks. */
export function ownNamespace(
  { leaseNamespace, env = process.env }: Pick<OperatorOptions, 'leaseNamespace' | 'env'>,
  { namespace = 'default' }: Pick<OpenedClusters, 'namespace'>,
): string {
  return leaseNamespace ?? (env.POD_NAMESPACE || namespace)
}

/**
 * Decides who leads, by a Lease or by one for each shard. The Lease is what opens the write gate, so its own writes
 * pass none.
 */
export function operatorLeadership(
  options: OperatorOptions,
  opened: OpenedClusters,
  observed: { logger: Logger; clock: Clock },
): Leadership {
  if (opened.lead) return opened.lead()
  const { name, leaderElection = true, shards = 1 } = options
  const [transport] = opened.transports.values()
  if (!leaderElection || !transport) return unelected
  const lease = { namespace: ownNamespace(options, opened), name }
  const applying = { client: createClient({ transport }), lease, ...observed }
  return shards > 1 ? shardLeadership({ ...applying, count: shards }) : leaseLeadership(applying)
}
