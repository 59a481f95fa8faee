/** Charts of repositories with an `index.yaml`, and archives at a URL. */
import { createHash } from 'node:crypto'
import { findChart } from '../../../sdk/modules/helm/repository-index.js'
import { basicHeader, type ChartCredentials } from './credentials.js'
import { DownloadError, fetchContent, urlName } from './download.js'
import type { FetchedChart, RemoteChart } from './fetched-chart.js'

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
  // As with helm, credentials are not sent to other servers that an index names.
  const isSameServer = url.origin === new URL(base).origin
  const archive = await fetchContent({
    url: url.href,
    limitBytes,
    ...(isSameServer && headers && { headers }),
  })
  checkDigest(archive, indexEntry.digest, urlName(url))
  return { archive, source: `${urlName(new URL(base))}${chart}` }
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
