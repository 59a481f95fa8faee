import { createClient } from '../engine/client/create-client.js'
import type { Leadership } from '../engine/leader/leadership.js'
import { leaseLeadership } from '../engine/leader/lease-leadership.js'
import { shardLeadership } from '../engine/leader/shard-leadership.js'
import { unelected } from '../engine/leader/unelected.js'
import type { Logger } from '../engine/observe/logger.js'
import type { Clock } from '../engine/time/clock.js'
import type { OpenedClusters, OperatorOptions } from './operator-options.js'

/** The namespace of the operator, which contains its Lease and the Secret of its webhooks. */
export function ownNamespace(
  { leaseNamespace, env = process.env }: Pick<OperatorOptions, 'leaseNamespace' | 'env'>,
  { namespace = 'default' }: Pick<OpenedClusters, 'namespace'>,
): string {
  return leaseNamespace ?? (env.POD_NAMESPACE || namespace)
}

/**
 * Chooses how the operator elects its leader: by one Lease, by one Lease for each shard, or not at all. Writes are sent
 * only while the operator leads, except those of the Lease itself: they use a client of their own without this gate.
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
  const election = { client: createClient({ transport }), lease, ...observed }
  return shards > 1 ? shardLeadership({ ...election, count: shards }) : leaseLeadership(election)
}
