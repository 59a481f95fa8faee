// Charts in OCI registries.
import { PermanentError } from '../../engine/kube/error.js'
import { trimEndSlashes } from '../../engine/kube/trim-slashes.js'
import { chartLayerOf, manifestType } from '../oci/chart-manifest.js'
import { type ChartReference, readReference } from '../oci/chart-reference.js'
import { findTag, tagOfVersion, versionOfTag } from '../oci/chart-tags.js'
import { OciRepository } from '../oci/oci-repository.js'
import { allowedRequests } from '../oci/registry-requests.js'
import { nameOfUrl } from '../program/allow-list.js'
import type { SecretCredentials } from '../program/authorization.js'
import type { RequestLimits } from '../program/checked-request.js'
import { tooLargeError } from '../program/unpack-program.js'
import { type ChartSource, helmPath } from './helm-spec.js'
import type { IndexedChart } from './index-entries.js'
import { checkRange, isArchiveDigest } from './repository-index.js'

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
  /** The advice in messages if the registry wants credentials and there are none. Default: to name a Secret. */
  readonly credentialsCure?: string
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
  const name = `${trimEndSlashes(repo.url)}/${repo.chart}:${tag}`
  return { version: versionOfTag(tag), ...(await archiveOf(repository, { tag, name }, options)) }
}

/** A version of an index whose URL is that of a registry, with the URL and the digest of its archive there. */
export async function chooseOfIndex(
  { version, url, digest }: IndexedChart,
  options: RegistryChartOptions,
): Promise<IndexedChart> {
  const reference = readReference(url)
  if (!reference)
    throw new Error(
      `the index of the repository names ${JSON.stringify(nameOfUrl(new URL(url)).slice(0, 200))}, which is not a chart of a registry, such as oci://registry.example/charts/web:1.2.3`,
    )
  const registry = registryOf(reference)
  const credentialsCure = `credentials of the repository are not sent there: set repo.url to ${registry.url} with a Secret in repo.auth`
  const repository = repositoryOf(registry, { ...options, credentialsCure })
  const tag = reference.digest ?? reference.tag ?? tagOfVersion(version)
  const archive = await archiveOf(repository, { tag, name: url }, options)
  return { ...archive, version, registry, ...(isArchiveDigest(digest) && { digest }) }
}

function registryOf({ host, path }: ChartReference): NonNullable<IndexedChart['registry']> {
  const name = `${host}/${path}`
  const end = name.lastIndexOf('/')
  return { url: `oci://${name.slice(0, end)}`, chart: name.slice(end + 1) }
}

/** The URL and the digest of the archive in a manifest, which is found by a tag or by its own digest. */
async function archiveOf(
  repository: OciRepository,
  { tag, name }: { readonly tag: string; readonly name: string },
  { limitBytes }: RegistryChartOptions,
): Promise<Pick<IndexedChart, 'url' | 'digest'>> {
  const { digest, size } = chartLayerOf(await repository.manifest(tag, manifestType), name)
  if (size > limitBytes) throw tooLargeError(name, limitBytes, 'chart')
  return { url: `${repository.url}/blobs/${digest}`, digest }
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
  { credentials, credentialsCure, ...limits }: RegistryChartOptions,
): OciRepository {
  const repositoryUrl = `${trimEndSlashes(url)}/${chart}`
  if (!repositoryName.test(repositoryUrl.replace(/^oci:\/\/[^/]*\//i, '')))
    throw new PermanentError(
      `${helmPath}.chart.repo: ${JSON.stringify(repositoryUrl.slice(0, 200))} does not name a repository of a registry: small letters and digits, with . _ - / between them`,
    )
  const apiUrl = limits.allowList.registryUrl(repositoryUrl).href
  return new OciRepository(apiUrl, { requests: allowedRequests(limits, credentialsCure), credentials })
}

/** The tag of a chart: the tag of an exact version, or the newest tag in a range. */
async function tagOf({ chart, version }: Repository, repository: OciRepository): Promise<string> {
  if (version !== undefined && exactVersion.test(version)) return tagOfVersion(version)
  checkRange(version)
  return findTag(repository, { version, chart })
}
