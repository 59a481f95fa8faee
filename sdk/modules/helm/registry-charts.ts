// Charts in OCI registries.
import { PermanentError } from '../../engine/kube/error.js'
import { chartLayerOf, manifestType } from '../oci/chart-manifest.js'
import { Registry, type RegistryOptions } from '../oci/registry.js'
import { tooLarge } from '../program/unpack-program.js'
import { newestVersion } from '../program/version-range.js'
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

/** Whether charts come from an OCI registry. */
export const isRegistry = ({ url }: Pick<Repository, 'url'>): boolean => /^oci:\/\//i.test(url)

/** The version of a chart in a registry, with the URL and the digest of its archive. */
export async function chooseInRegistry(
  repo: Repository,
  { limitBytes, ...options }: RegistryOptions & { readonly limitBytes: number },
): Promise<IndexedChart> {
  const registry = registryOf(repo, options)
  const tag = await tagOf(repo, registry)
  const name = `${repo.url.replace(/\/+$/, '')}/${repo.chart}:${tag}`
  const { digest, size } = chartLayerOf(await registry.manifest(tag, manifestType), name)
  if (size > limitBytes) throw tooLarge(name, limitBytes, 'chart')
  return { version: versionOf(tag), url: `${registry.url}/blobs/${digest}`, digest }
}

/** Fetches the archive of a chart, whose digest the caller compares. */
export function fetchFromRegistry(
  url: string,
  repo: Repository,
  { limitBytes, ...options }: RegistryOptions & { readonly limitBytes: number },
): Promise<Buffer> {
  return registryOf(repo, options).blob(url, limitBytes, 'chart')
}

function registryOf({ url, chart }: Repository, options: RegistryOptions): Registry {
  const place = `${url.replace(/\/+$/, '')}/${chart}`
  if (!repositoryName.test(place.replace(/^oci:\/\/[^/]*\//i, '')))
    throw new PermanentError(
      `${helmPath}.chart.repo: ${JSON.stringify(place.slice(0, 200))} does not name a repository of a registry: small letters and digits, with . _ - / between them`,
    )
  return new Registry(options.allowList.registryUrl(place).href, options)
}

/** The tag of an exact version is known; else the newest one of all tags counts. */
async function tagOf({ chart, version }: Repository, registry: Registry): Promise<string> {
  if (version !== undefined && exactVersion.test(version)) return tagOfVersion(version)
  checkRange(version)
  const versions = (await registry.tags()).map(versionOf)
  const found = newestVersion(versions, version)
  if (found !== undefined) return tagOfVersion(found)
  throw new Error(
    `the registry has no version ${JSON.stringify(version ?? 'without a pre-release')} of the chart ${chart}; it has ${versions.slice(0, 5).join(', ') || 'none'}`,
  )
}

/** A tag has no plus sign, so helm writes an underscore. */
const tagOfVersion = (version: string) => version.replaceAll('+', '_')
const versionOf = (tag: string) => tag.replaceAll('_', '+')
