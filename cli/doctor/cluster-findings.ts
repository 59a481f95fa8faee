import { parseJson } from '../../sdk/engine/kube/json.js'
import { reasonOf } from '../../sdk/engine/kube/network-error.js'
import type { Transport, TransportResponse } from '../../sdk/engine/transport/transport.js'
import { parseRelease, type VClusterRelease } from '../helm/vcluster-release.js'
import { UsageError } from '../terminal/usage-error.js'
import { type Finding, finding } from './finding.js'

/** Tolerated difference of clocks, in seconds; the Lease of a standalone plugin lasts 15 s. */
const skewLimitSeconds = 5

/** Options of {@link clusterFindings}. */
export interface ClusterFindingsOptions {
  /** `host cluster` or `virtual cluster`. */
  check: string
  transport: Transport
  /** The source of the kubeconfig, for messages. */
  source: string
  /** The time of this machine, in milliseconds since 1970. */
  nowMs: () => number
}

/** Checks that an API server answers, and compares its clock with this machine's clock. */
export async function clusterFindings(options: ClusterFindingsOptions): Promise<Finding[]> {
  const { check, transport, source, nowMs } = options
  const before = nowMs()
  try {
    const answer = await transport.request({ method: 'GET', path: '/version', timeoutMs: 10_000 })
    return [versionFinding(check, source, answer), skewFinding(check, answer, (before + nowMs()) / 2)]
  } catch (error) {
    return [finding(check, 'failed', `${source} does not answer: ${reasonOf(error)}`)]
  }
}

function versionFinding(check: string, source: string, { status, body }: TransportResponse): Finding {
  if (status === 401)
    return finding(
      check,
      'failed',
      `the credentials of ${source} are wrong or have expired (401); renew them`,
    )
  if (status !== 200)
    return finding(check, 'failed', `${source} answered ${status} to GET /version; check the credentials`)
  const { gitVersion = 'of unknown version' } = parseJson(body) as { gitVersion?: string }
  return finding(check, 'ok', `Kubernetes ${gitVersion}, ${source}`)
}

/** Compares the clocks; the Date header has whole seconds. */
function skewFinding(check: string, { headers }: TransportResponse, nowMs: number): Finding {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs)) return finding(`${check} clock`, 'skipped', 'the API server sends no Date header')
  const seconds = Math.max(0, Math.abs(theirs + 500 - nowMs) - 500) / 1000
  if (seconds <= skewLimitSeconds)
    return finding(`${check} clock`, 'ok', `within ${seconds.toFixed(1)} s of the clock here`)
  const message = `${seconds.toFixed(0)} s from the clock here; synchronize both with NTP, because certificates and Leases depend on them`
  return finding(`${check} clock`, 'warning', message)
}

/** The Pods of a vcluster itself: tenants can give their own Pods the first label, but not take away the second. */
const ownPods = 'app=vcluster,!vcluster.loft.sh/managed-by'

/** The release of the vcluster in a host namespace, and the modes of plugins that it supports. */
export async function vclusterFinding(transport: Transport, namespace: string): Promise<Finding> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?labelSelector=${encodeURIComponent(ownPods)}`
  const { status, body } = await transport.request({ method: 'GET', path, timeoutMs: 10_000 })
  if (status !== 200)
    return finding(
      'vcluster',
      'skipped',
      `cannot list Pods in ${namespace} (status ${status}); use credentials that may, or pass the namespace of the vcluster with -n`,
    )
  const { items = [] } = parseJson(body) as { items?: PodImages[] }
  const images = items.flatMap(({ spec }) => spec.containers.map(({ image = '' }) => image))
  const version = images.map(releaseOf).find((tag) => tag !== undefined)
  if (items.length === 0)
    return finding(
      'vcluster',
      'skipped',
      `no Pod in ${namespace} is of a vcluster itself, with the label app=vcluster; pass the namespace of the vcluster with -n`,
    )
  if (version === undefined)
    return finding('vcluster', 'warning', `cannot read the version from the images ${images.join(', ')}`)
  const protocols = protocolsOf(version)
  if (protocols === undefined)
    return finding(
      'vcluster',
      'warning',
      `${version} is not a release that plugins support: use 0.9.1 or a later 0.x`,
    )
  return finding('vcluster', 'ok', `${version}: ${protocols}`)
}

interface PodImages {
  spec: { containers: { image?: string }[] }
}

/** The release in the tag of a vcluster image. */
function releaseOf(image: string): string | undefined {
  return /vcluster(?:-oss|-pro)?:v?(\d+\.\d+\.\d+[^@]*)/.exec(image)?.[1]
}

/** The modes of a release; undefined for a release that this command does not know. */
function protocolsOf(version: string): string | undefined {
  const release = knownRelease(version)
  if (!release) return undefined
  const { chart, runsPlugins } = release
  const modes = runsPlugins ? 'sidecar and in-syncer plugins' : 'sidecar plugins'
  return `supports ${modes}, chart values ${chart} (manifest --vcluster-version ${version})`
}

function knownRelease(version: string): VClusterRelease | undefined {
  try {
    return parseRelease(version)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
