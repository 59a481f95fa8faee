import { createClient } from '../client/create-client.js'
import type { Leadership } from '../leader/leadership.js'
import { leaseLeadership } from '../leader/lease-leadership.js'
import { unelected } from '../leader/unelected.js'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { OpenedClusters, OperatorOptions } from './operator-options.js'

/** The namespace of the operator: that of its Lease and of the Secret of its webhooks. */
export function ownNamespace(
  { leaseNamespace, env = process.env }: Pick<OperatorOptions, 'leaseNamespace' | 'env'>,
  { namespace = 'default' }: Pick<OpenedClusters, 'namespace'>,
): string {
  return leaseNamespace ?? (env.POD_NAMESPACE || namespace)
}

/** Decides who leads. The Lease is what opens the write gate, so its own writes pass none. */
export function operatorLeadership(
  options: OperatorOptions,
  opened: OpenedClusters,
  observed: { logger: Logger; clock: Clock },
): Leadership {
  if (opened.lead) return opened.lead()
  const { name, leaderElection = true } = options
  const [transport] = opened.transports.values()
  if (!leaderElection || !transport) return unelected
  const lease = { namespace: ownNamespace(options, opened), name }
  return leaseLeadership({ client: createClient({ transport }), lease, ...observed })
}
