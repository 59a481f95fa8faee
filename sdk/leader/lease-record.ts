import type { Lease } from '../kube/builtin.js'
import type { Key } from '../kube/key.js'

/** Who writes itself into a Lease, and for how long. */
export interface LeaseClaim {
  identity: string
  leaseDurationMs: number
  /** The wall clock's time, for other programs to read; nothing is decided by it. */
  now: Date
}

/** A Lease that does not exist yet, claimed. */
export function newLease({ namespace, name }: Key, claim: LeaseClaim): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name },
    spec: { ...renewal(claim), acquireTime: formatMicroTime(claim.now), leaseTransitions: 0 },
  }
}

/** The Lease renewed for its holder, or taken over by another one, which counts as a transition. */
export function claimedLease(lease: Lease, claim: LeaseClaim): Lease {
  const spec = { ...lease.spec, ...renewal(claim) }
  if (holderOf(lease) === claim.identity) return { ...lease, spec }
  const leaseTransitions = (lease.spec?.leaseTransitions ?? 0) + 1
  return { ...lease, spec: { ...spec, acquireTime: formatMicroTime(claim.now), leaseTransitions } }
}

/** The Lease given up, free for anyone at once. The API wants a duration above zero. */
export function freeLease(lease: Lease, now: Date): Lease {
  const time = formatMicroTime(now)
  const free = { holderIdentity: '', leaseDurationSeconds: 1, renewTime: time, acquireTime: time }
  return { ...lease, spec: { ...lease.spec, ...free } }
}

/**
 * Whether a Lease was given up by its holder, as {@link freeLease} and client-go do: then nothing is written on its account
 * any more. One that is merely empty may still have a holder who does not know.
 */
export function isReleased(lease: Lease): boolean {
  return holderOf(lease) === '' && lease.spec?.leaseDurationSeconds === 1
}

/** The holder's identity; `''` when it is free. */
export function holderOf(lease: Lease): string {
  return lease.spec?.holderIdentity ?? ''
}

function renewal({ identity, leaseDurationMs, now }: LeaseClaim) {
  const leaseDurationSeconds = Math.ceil(leaseDurationMs / 1000)
  return { holderIdentity: identity, leaseDurationSeconds, renewTime: formatMicroTime(now) }
}

/** A `meta/v1 MicroTime`: RFC 3339 with exactly six digits of a second. */
export function formatMicroTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}

/** Chooses the Leases of one plugin's shards and replicas; its value is the name of shard 0's. */
export const leasesOfLabel = 'plugin.vcluster.loft.sh/leases-of'

/** Tells the Lease of a shard from that of a replica. */
export const leaseRoleLabel = 'plugin.vcluster.loft.sh/lease-role'

/** What a Lease is for. */
export type LeaseRole = 'shard' | 'replica'

const layoutAnnotation = 'plugin.vcluster.loft.sh/shards'

/** What the Lease of shard 0 says while those of another layout may not have ended yet. */
export const changing = 'changing'

/** Into how many shards the work is split, as the Lease of shard 0 says: `1` where it says nothing. */
export function layoutOf(lease: Lease): string {
  return lease.metadata.annotations?.[layoutAnnotation] ?? '1'
}

/** The Lease with the layout in it. */
export function withLayout(lease: Lease, layout: string): Lease {
  if (layoutOf(lease) === layout) return lease
  const annotations = { ...lease.metadata.annotations, [layoutAnnotation]: layout }
  return { ...lease, metadata: { ...lease.metadata, annotations } }
}

/** The Lease with the labels by which it is found. */
export function withRole(lease: Lease, stem: string, role: LeaseRole): Lease {
  const labels = { ...lease.metadata.labels, [leasesOfLabel]: stem, [leaseRoleLabel]: role }
  return { ...lease, metadata: { ...lease.metadata, labels } }
}

/** Whether a Lease is that of a replica. */
export function isReplica({ metadata }: Lease): boolean {
  return metadata.labels?.[leaseRoleLabel] === ('replica' satisfies LeaseRole)
}
