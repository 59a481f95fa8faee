import type { Lease } from '../kube/builtin.js'
import type { Key } from '../kube/key.js'

/** The values that a holder writes into a Lease. */
export interface LeaseClaim {
  identity: string
  leaseDurationMs: number
  /** The wall clock's time, for other programs to read; it decides nothing here. */
  now: Date
}

/** A new Lease with its first holder. */
export function newLease({ namespace, name }: Key, claim: LeaseClaim): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name },
    spec: { ...renewal(claim), acquireTime: formatMicroTime(claim.now), leaseTransitions: 0 },
  }
}

/** The Lease renewed by its holder, or taken over by another one, which counts as a transition. */
export function claimedLease(lease: Lease, claim: LeaseClaim): Lease {
  const spec = { ...lease.spec, ...renewal(claim) }
  if (holderOf(lease) === claim.identity) return { ...lease, spec }
  const leaseTransitions = (lease.spec?.leaseTransitions ?? 0) + 1
  return { ...lease, spec: { ...spec, acquireTime: formatMicroTime(claim.now), leaseTransitions } }
}

/** The Lease released, free at once. The API requires a duration above zero. */
export function freeLease(lease: Lease, now: Date): Lease {
  const time = formatMicroTime(now)
  const free = { holderIdentity: '', leaseDurationSeconds: 1, renewTime: time, acquireTime: time }
  return { ...lease, spec: { ...lease.spec, ...free } }
}

/**
 * Whether the holder released a Lease, as {@link freeLease} and client-go do, so that the holder writes nothing any
 * more. A Lease that somebody only emptied may still have a holder that has not noticed.
 */
export function isReleased(lease: Lease): boolean {
  return holderOf(lease) === '' && lease.spec?.leaseDurationSeconds === 1
}

/** The holder's identity; `''` if the Lease is free. */
export function holderOf(lease: Lease): string {
  return lease.spec?.holderIdentity ?? ''
}

function renewal({ identity, leaseDurationMs, now }: LeaseClaim) {
  const leaseDurationSeconds = Math.ceil(leaseDurationMs / 1000)
  return { holderIdentity: identity, leaseDurationSeconds, renewTime: formatMicroTime(now) }
}

/** A `meta/v1 MicroTime`: RFC 3339 with exactly six digits of a second. */
function formatMicroTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}

/** Selects the Leases of one plugin's shards and replicas; the value of the label is the name of shard 0's Lease. */
export const leasesOfLabel = 'plugin.vcluster.loft.sh/leases-of'

/** Distinguishes the Lease of a shard from that of a replica. */
const leaseRoleLabel = 'plugin.vcluster.loft.sh/lease-role'

/** The use of a Lease. */
export type LeaseRole = 'shard' | 'replica'

const shardCountAnnotation = 'plugin.vcluster.loft.sh/shards'

/** The value in the Lease of shard 0 while replicas with another number of shards may still run. */
export const changing = 'changing'

/** The number of shards in the Lease of shard 0; `1` if it has none. */
export function shardCountOf(lease: Lease): string {
  return lease.metadata.annotations?.[shardCountAnnotation] ?? '1'
}

/** The Lease with a number of shards in it. */
export function withShardCount(lease: Lease, shardCount: string): Lease {
  if (shardCountOf(lease) === shardCount) return lease
  const annotations = { ...lease.metadata.annotations, [shardCountAnnotation]: shardCount }
  return { ...lease, metadata: { ...lease.metadata, annotations } }
}

/** The Lease with the labels that select it. */
export function withRole(lease: Lease, stem: string, role: LeaseRole): Lease {
  const labels = { ...lease.metadata.labels, [leasesOfLabel]: stem, [leaseRoleLabel]: role }
  return { ...lease, metadata: { ...lease.metadata, labels } }
}

/** Whether a Lease belongs to a replica. */
export function isReplica({ metadata }: Lease): boolean {
  return metadata.labels?.[leaseRoleLabel] === ('replica' satisfies LeaseRole)
}
