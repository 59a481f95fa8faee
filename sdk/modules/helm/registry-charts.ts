// Charts in OCI registries.
import { PermanentError } from '../../engine/kube/error.js'
import { chartLayerOf, manifestType } from '../oci/chart-manifest.js'
import { findTag, tagOfVersion, versionOfTag } from '../oci/chart-tags.js'
import { OciRepository } from '../oci/oci-repository.js'
import { allowedRequests } from '../oci/registry-requests.js'
import type { SecretCredentials } from '../program/authorization.js'
import type { RequestLimits } from '../program/checked-request.js'
import { tooLargeError } from '../program/unpack-program.js'
import { type ChartSource, helmPath } from './helm-spec.js'
import { checkRange, type IndexedChart } from './repository-index.js'

/** A chart in a repository of charts or in a registry. */
export type Repository = NonNullable<ChartSource['repo']>

const exactVersion = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/
/**
 * The names that registries allow:
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests
 */
const repositoryName = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/

/** How a chart of a registry is fetched. */
export interface RegistryChartOptions extends Omit<RequestLimits, 'authorization'> {
  /** Default: none. */
  readonly credentials?: SecretCredentials | undefined
  /** The maximum size of the archive, in bytes. */
  readonly limitBytes: number
}

/** Whether charts come from an OCI registry. */
export const isRegistry = ({ url }: Pick<Repository, 'url'>): boolean => /^oci:\/\//i.test(url)

/** The version of a chart in a registry, with the URL and the digest of its archive. */
export async function chooseInRegistry(
  repo: Repository,
  options: RegistryChartOptions,
): Promise<IndexedChart> {
  const repository = repositoryOf(repo, options)
  const tag = await tagOf(repo, repository)
  const name = `${repo.url.replace(/\/+$/, '')}/${repo.chart}:${tag}`
  const { digest, size } = chartLayerOf(await repository.manifest(tag, manifestType), name)
  if (size > options.limitBytes) throw tooLargeError(name, options.limitBytes, 'chart')
  return { version: versionOfTag(tag), url: `${repository.url}/blobs/${digest}`, digest }
}

/** Fetches the archive of a chart, whose digest the caller compares. */
export function fetchFromRegistry(
  url: string,
  repo: Repository,
  options: RegistryChartOptions,
): Promise<Buffer> {
  return repositoryOf(repo, options).blob(url, options.limitBytes, 'chart')
}

function repositoryOf(
  { url, chart }: Repository,
  { credentials, ...limits }: RegistryChartOptions,
): OciRepository {
  const repositoryUrl = `${url.replace(/\/+$/, '')}/${chart}`
  if (!repositoryName.test(repositoryUrl.replace(/^oci:\/\/[^/]*\//i, '')))
    throw new PermanentError(
      `${helmPath}.chart.repo: ${JSON.stringify(repositoryUrl.slice(0, 200))} does not name a repository of a registry: small letters and digits, with . _ - / between them`,
    )
  const apiUrl = limits.allowList.registryUrl(repositoryUrl).href
  return new OciRepository(apiUrl, { requests: allowedRequests(limits), credentials })
}

/** The tag of a chart: the tag of an exact version, or the newest tag in a range. */
async function tagOf({ chart, version }: Repository, repository: OciRepository): Promise<string> {
  if (version !== undefined && exactVersion.test(version)) return tagOfVersion(version)
  checkRange(version)
  return findTag(repository, { version, chart })
}
