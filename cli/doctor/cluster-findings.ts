import { parseJson } from '../../sdk/kube/json.js'
import type { Transport, TransportResponse } from '../../sdk/transport/transport.js'
import { parseRelease } from '../helm/vcluster-release.js'
import { type Finding, finding } from './finding.js'

/** How far clocks may be apart, in seconds: a Lease of a plugin on its own lasts 15. */
const skewLimitSeconds = 5

/** What is said of a cluster. */
export interface ClusterFindingsOptions {
  /** `host cluster` or `virtual cluster`. */
  about: string
  transport: Transport
  /** Where the kubeconfig is from, in words. */
  source: string
  /** The time here, in milliseconds since 1970. */
  nowMs: () => number
}

/** Whether an API server answers, which it is, and whether its clock agrees with ours. */
export async function clusterFindings(options: ClusterFindingsOptions): Promise<Finding[]> {
  const { about, transport, source, nowMs } = options
  const before = nowMs()
  try {
    const answer = await transport.request({ method: 'GET', path: '/version', timeoutMs: 10_000 })
    return [versionFinding(about, source, answer), skewFinding(about, answer, (before + nowMs()) / 2)]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [
      finding(about, 'failed', `${source} does not answer: ${why}; check the address and the credentials`),
    ]
  }
}

function versionFinding(about: string, source: string, { status, body }: TransportResponse): Finding {
  if (status !== 200)
    return finding(about, 'failed', `${source} answered ${status} to GET /version; check the credentials`)
  const { gitVersion = 'of unknown version' } = parseJson(body) as { gitVersion?: string }
  return finding(about, 'ok', `Kubernetes ${gitVersion}, ${source}`)
}

/** The header is of whole seconds. */
function skewFinding(about: string, { headers }: TransportResponse, nowMs: number): Finding {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs)) return finding(`${about} clock`, 'skipped', 'the API server sends no Date header')
  const seconds = Math.max(0, Math.abs(theirs + 500 - nowMs) - 500) / 1000
  if (seconds <= skewLimitSeconds)
    return finding(`${about} clock`, 'ok', `within ${seconds.toFixed(1)} s of the clock here`)
  const says = `${seconds.toFixed(0)} s from the clock here; synchronize both with NTP, because certificates and Leases depend on them`
  return finding(`${about} clock`, 'warning', says)
}

/** Which vcluster runs in a namespace of the host, and how it speaks with plugins. */
export async function vclusterFinding(transport: Transport, namespace: string): Promise<Finding> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?labelSelector=app%3Dvcluster`
  const { status, body } = await transport.request({ method: 'GET', path, timeoutMs: 10_000 })
  if (status !== 200)
    return finding(
      'vcluster',
      'skipped',
      `cannot list Pods in ${namespace} (status ${status}); pass the namespace of the vcluster with -n`,
    )
  const { items = [] } = parseJson(body) as { items?: PodImages[] }
  const images = items.flatMap(({ spec }) => spec.containers.map(({ image = '' }) => image))
  const version = images.map(releaseOf).find((tag) => tag !== undefined)
  if (items.length === 0)
    return finding(
      'vcluster',
      'skipped',
      `no Pod in ${namespace} has the label app=vcluster; pass the namespace of the vcluster with -n`,
    )
  if (version === undefined)
    return finding('vcluster', 'warning', `cannot read the version from the images ${images.join(', ')}`)
  return finding('vcluster', 'ok', `${version}: ${protocolsOf(version)}`)
}

interface PodImages {
  spec: { containers: { image?: string }[] }
}

/** The release in an image's tag, of vcluster's own images. */
function releaseOf(image: string): string | undefined {
  return /vcluster(?:-oss|-pro)?:v?(\d+\.\d+\.\d+[^@]*)/.exec(image)?.[1]
}

function protocolsOf(version: string): string {
  const { chart, runsPlugins } = parseRelease(version)
  const modes = runsPlugins ? 'sidecar and in-syncer plugins' : 'sidecar plugins'
  return `supports ${modes}, chart values ${chart} (manifest --vcluster-version ${version})`
}
