/** Charts of repositories with an `index.yaml`, and archives at a URL. */
import { createHash } from 'node:crypto'
import { findChart, isArchiveDigest } from '../../../sdk/modules/helm/repository-index.js'
import { basicHeader, type ChartCredentials } from './credentials.js'
import { DownloadError, fetchContent, urlName } from './download.js'
import type { FetchedChart, RemoteChart } from './fetched-chart.js'
import { registryChart } from './registry-chart.js'

/** The largest index of a repository, in bytes: 32 MiB. */
const indexBytes = 32 * 2 ** 20

/** Fetches the archive of a chart that the index of a repository names. */
export async function repositoryChart(
  { chart, repo = '', version, limitBytes }: RemoteChart,
  credentials?: ChartCredentials,
): Promise<FetchedChart> {
  const base = `${repo.replace(/\/+$/, '')}/`
  const headers = credentials && { authorization: basicHeader(credentials) }
  const index = await fetchContent({
    url: `${base}index.yaml`,
    limitBytes: indexBytes,
    ...(headers && { headers }),
  })
  const indexEntry = await findChart(index.toString('utf8'), { chart, version })
  const url = new URL(indexEntry.url, base)
  const source = `${urlName(new URL(base))}${chart}`
  if (url.protocol === 'oci:') {
    const { archive } = await chartOfRegistry(url, { version: indexEntry.version, limitBytes })
    if (isArchiveDigest(indexEntry.digest)) checkDigest(archive, indexEntry.digest, urlName(url))
    return { archive, source }
  }
  // As with helm, credentials are not sent to other servers that an index names.
  const isSameServer = url.origin === new URL(base).origin
  const archive = await fetchContent({
    url: url.href,
    limitBytes,
    ...(isSameServer && headers && { headers }),
  })
  checkDigest(archive, indexEntry.digest, urlName(url))
  return { archive, source }
}

/** A chart of a registry that an index names. As with helm, the credentials of the repository are not sent there. */
function chartOfRegistry(url: URL, limits: Omit<RemoteChart, 'chart'>): Promise<FetchedChart> {
  return registryChart({ chart: url.href, ...limits }).catch((cause: Error) => {
    throw new DownloadError(
      `${cause.message}; the index names ${urlName(url)}, which is fetched without credentials: if it needs them, pass it by --chart without --repo`,
      { cause },
    )
  })
}

/** Throws {@link DownloadError} for an archive that differs from the digest in the index. */
function checkDigest(archive: Buffer, digest: string | undefined, name: string): void {
  const actualDigest = createHash('sha256').update(archive).digest('hex')
  if (digest === undefined || digest.replace(/^sha256:/, '') === actualDigest) return
  throw new DownloadError(
    `${name}: the archive has the SHA-256 ${actualDigest}, but the index of the repository says ${digest}`,
  )
}

/** Fetches the archive of a chart at a URL. */
export async function archiveAt(
  { chart, limitBytes }: RemoteChart,
  credentials?: ChartCredentials,
): Promise<FetchedChart> {
  const headers = credentials && { authorization: basicHeader(credentials) }
  const archive = await fetchContent({ url: chart, limitBytes, ...(headers && { headers }) })
  return { archive, source: urlName(new URL(chart)) }
}
