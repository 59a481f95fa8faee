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
    return finding(
      about,
      'failed',
      `${source}: GET /version was answered with ${status}; check the credentials`,
    )
  const { gitVersion = 'of an unknown version' } = parseJson(body) as { gitVersion?: string }
  return finding(about, 'ok', `Kubernetes ${gitVersion}, ${source}`)
}

/** The header is of whole seconds. */
function skewFinding(about: string, { headers }: TransportResponse, nowMs: number): Finding {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs)) return finding(`${about} clock`, 'skipped', 'the API server tells no time')
  const seconds = Math.max(0, Math.abs(theirs + 500 - nowMs) - 500) / 1000
  if (seconds <= skewLimitSeconds)
    return finding(`${about} clock`, 'ok', `within ${seconds.toFixed(1)} s of ours`)
  const says = `${seconds.toFixed(0)} s apart from ours; set both by NTP, because certificates and Leases go by the clock`
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
      `pods of ${namespace} cannot be listed (${status}); name its namespace by -n`,
    )
  const { items = [] } = parseJson(body) as { items?: PodImages[] }
  const images = items.flatMap(({ spec }) => spec.containers.map(({ image = '' }) => image))
  const version = images.map(releaseOf).find((tag) => tag !== undefined)
  if (items.length === 0)
    return finding(
      'vcluster',
      'skipped',
      `no pod in ${namespace} is labelled app=vcluster; name its namespace by -n`,
    )
  if (version === undefined)
    return finding('vcluster', 'warning', `the images ${images.join(', ')} do not tell its version`)
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
  const inside = runsPlugins ? 'plugins beside it and inside its container' : 'plugins beside it'
  return `${inside}, values for charts ${chart} (manifest --vcluster-version ${version})`
}
