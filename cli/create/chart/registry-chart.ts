/** Charts in OCI registries: `oci://registry.example/charts/web`, with a tag, a version or a digest. */
import { chartLayerOf, manifestType } from '../../../sdk/modules/oci/chart-manifest.js'
import { readReference } from '../../../sdk/modules/oci/chart-reference.js'
import { findTag } from '../../../sdk/modules/oci/chart-tags.js'
import { checkSha256, OciRepository } from '../../../sdk/modules/oci/oci-repository.js'
import type { RegistryRequests } from '../../../sdk/modules/oci/registry-requests.js'
import { registryHost } from '../../../sdk/modules/program/registry-host.js'
import type { ChartCredentials } from './credentials.js'
import { DownloadError, request, statusError } from './download.js'
import type { FetchedChart, RemoteChart } from './fetched-chart.js'

/**
 * Fetches the archive of a chart from a registry. Rejects with {@link DownloadError}, or with a `RegistryError` for an
 * unexpected answer.
 */
export async function registryChart(
  { chart, version, limitBytes }: RemoteChart,
  credentials?: ChartCredentials,
): Promise<FetchedChart> {
  const reference = readReference(chart)
  if (!reference)
    throw new DownloadError(
      'it is not an oci:// address of a chart, such as oci://registry.example/charts/web:1.2.3',
    )
  const { host, path, tag, digest } = reference
  const scheme = schemeOf(host)
  const requests = scheme === 'https' ? secureRequests : plainRequests
  const repository = new OciRepository(`${scheme}://${registryHost(host)}/v2/${path}`, {
    requests,
    credentials,
  })
  const source = `oci://${host}/${path}`
  const tagOrDigest = digest ?? tag ?? (await findTag(repository, { version, chart: source }))
  const layer = chartLayerOf(await repository.manifest(tagOrDigest, manifestType), `${source}:${tagOrDigest}`)
  if (layer.size > limitBytes) throw new DownloadError(`it has ${layer.size} bytes, more than ${limitBytes}`)
  const archive = await repository.blob(`${repository.url}/blobs/${layer.digest}`, limitBytes, 'chart')
  checkSha256(archive, layer.digest, source)
  return { archive, source }
}

/** The scheme of a registry: plain HTTP on this machine, as container tools do, and otherwise HTTPS. */
const schemeOf = (host: string) =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/.test(host) ? 'http' : 'https'

/** Requests to any server: the user of the command names the registry. */
const plainRequests: RegistryRequests = {
  get: (url, { accept, authorization }, use) =>
    request({ url, headers: { accept, ...(authorization && { authorization }) } }, use),
  checkStatus: ({ url, status }) => {
    if (status !== 200) throw statusError(url.href, status)
  },
  credentialsCure: 'set CHART_USERNAME and CHART_PASSWORD in the environment',
}

/** Requests only by HTTPS, also to another server that the registry names. */
const secureRequests: RegistryRequests = {
  ...plainRequests,
  get: async (url, requestOptions, use) => {
    if (!url.startsWith('https:'))
      throw new DownloadError('the registry names another server that has no TLS, such as for tokens')
    return plainRequests.get(url, requestOptions, use)
  },
}
