import type { Client } from '../../../sdk/engine/client/client.js'
import { deployments, type Lease, leases, pods } from '../../../sdk/engine/kube/builtin.js'
import { type Finding, finding } from '../finding.js'
import type { OperatorFindingsOptions } from './operator-findings-options.js'
import { readIfExists } from './read-if-exists.js'

const check = 'Lease'
/** Tolerated difference of clocks, in milliseconds. */
const skewMs = 5000

/** Checks that a Pod of the operator holds its Lease and renews it. */
export async function leaseFinding(options: OperatorFindingsOptions): Promise<Finding> {
  const { client, description, now } = options
  const key = { namespace: description.ownNamespace, name: description.name }
  const words = `Lease ${key.namespace}/${key.name}`
  const lease = await readIfExists(client.get(leases, key))
  const holder = lease?.spec?.holderIdentity
  if (!lease || !holder)
    return finding(check, 'warning', `no replica holds the ${words}; is the operator running?`)
  const silentMs = silenceOf(lease, now)
  if (silentMs > 0) {
    const message = `${holder} holds the ${words}, but has not renewed it since ${String(lease.spec?.renewTime)}; is the operator running, and may it update the Lease?`
    return finding(check, 'warning', message)
  }
  const problem = await problemOfHolder(client, key, holder)
  if (problem === undefined) return finding(check, 'ok', `${holder} holds the ${words} and renews it`)
  const message = `${holder} holds the ${words}, but ${problem}; two operators with one Lease take turns, so give each a name of its own`
  return finding(check, 'failed', message)
}

/** The time since a Lease has expired, in milliseconds; 0 or negative if it has not expired. */
function silenceOf({ spec }: Lease, now: Date): number {
  const { renewTime, leaseDurationSeconds = 15 } = spec ?? {}
  if (!renewTime) return 0
  return now.getTime() - new Date(renewTime).getTime() - leaseDurationSeconds * 1000 - skewMs
}

/**
 * Why the holder is not a replica of the Deployment; undefined if it is one, or if there is no Deployment to compare
 * with.
 */
async function problemOfHolder(
  client: Client,
  key: { namespace: string; name: string },
  holder: string,
): Promise<string | undefined> {
  const deployment = await readIfExists(client.get(deployments, key))
  if (!deployment) return undefined
  // The identity of a candidate begins with the name of its host, which for a Pod is its own.
  const name = holder.split('_')[0] ?? ''
  const pod = await readIfExists(client.get(pods, { namespace: key.namespace, name }))
  if (!pod) return `no Pod of ${key.namespace} has the name ${name}`
  const labels = pod.metadata.labels ?? {}
  const selected = Object.entries(deployment.spec?.selector.matchLabels ?? {})
  const isReplica = selected.every(([label, value]) => labels[label] === value)
  return isReplica ? undefined : `Pod ${name} is not one of Deployment ${key.name}`
}
