// The charts and the values of Modules: from ConfigMaps, and from servers that are allowed.

import type { Client } from '../../engine/client/client.js'
import { type ConfigMap, configMaps } from '../../engine/kube/builtin.js'
import { isNotFound, PermanentError } from '../../engine/kube/error.js'
import { parseJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { trimEndSlashes } from '../../engine/kube/trim-slashes.js'
import type { FileChart } from '../../helm/chart/chart.js'
import type { JsonObject } from '../../helm/chart/json-object.js'
import { loadChartArchive } from '../../helm/chart/load-chart.js'
import type { GitFolderOptions } from '../git/git-folder.js'
import type { ConfigMapKey } from '../kinds/module.js'
import { AllowList, type AllowListOptions, nameOfUrl } from '../program/allow-list.js'
import { basicAuthorization, readAuthorization, readCredentials } from '../program/authorization.js'
import { checkDigest, parseDigest } from '../program/digest.js'
import { type FetchOptions, fetchProgram } from '../program/fetch-program.js'
import { programOfConfigMap } from '../program/program-of-config-map.js'
import { checkAuthorities } from '../program/trusted-authorities.js'
import { checkGitUrl, chooseCommit, type GitSource, loadCommit } from './git-charts.js'
import type { ChartSource, ValuesSource } from './helm-spec.js'
import type { IndexedChart } from './index-entries.js'
import { mergeValues } from './merge-values.js'
import {
  chooseInRegistry,
  chooseOfIndex,
  fetchFromRegistry,
  isRegistry,
  type Repository,
} from './registry-charts.js'
import { findChart } from './repository-index.js'

/** The largest index of a repository, in bytes: 32 MiB. */
const indexLimitBytes = 32 * 1024 * 1024
/** The largest archive of a chart and the largest file of values, in bytes: 20 MiB. */
const fileLimitBytes = 20 * 1024 * 1024

/** The parts of an attempt that a repository needs; the client reads its credentials. */
type RepositoryCall = Pick<HomeClient, 'signal'> & Partial<HomeClient>

/** The client of one attempt for the cluster that holds the Module. */
export interface HomeClient {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The servers that charts and values may come from. */
interface AllowedServers extends Omit<AllowListOptions, 'option'> {
  /** PEM of their certificate authorities, in addition to those of Node. */
  readonly ca?: string
}

/** Loads the charts and the values of Modules. */
export class ModuleCharts {
  readonly #allowList: AllowList | undefined
  readonly #ca: string | undefined

  /** `option` is the name of the options in messages. Throws for invalid options. */
  constructor(allowed: AllowedServers | undefined, option = 'helm.charts') {
    checkAuthorities(allowed?.ca, option)
    this.#allowList = allowed && new AllowList({ ...allowed, option })
    this.#ca = allowed?.ca
  }

  /**
   * The version of a chart that a source asks for, with the URL of its archive or its commit; undefined for a chart of
   * a ConfigMap.
   */
  async choose({ repo, git }: ChartSource, home: RepositoryCall): Promise<IndexedChart | undefined> {
    if (git) return chooseCommit(git, await this.#gitOptions(git, home))
    if (!repo) return undefined
    if (isRegistry(repo)) return chooseInRegistry(repo, await this.#registryOptions(repo, home))
    const base = baseOf(repo)
    const index = await this.#fetchOf(repo, `${base}index.yaml`, { ...home, limitBytes: indexLimitBytes })
    const entry = await findChart(index.toString('utf8'), repo)
    const url = new URL(entry.url, base).href
    if (!isRegistry({ url })) return { ...entry, url }
    return chooseOfIndex({ ...entry, url }, await this.#registryOptions({ url }, home))
  }

  /** Loads a chart. */
  async load(source: ChartSource, chosen: IndexedChart | undefined, home: HomeClient): Promise<FileChart> {
    const { repo, configMap, git } = source
    if (git && chosen) return loadCommit(git, chosen.version, await this.#gitOptions(git, home))
    if (repo && chosen) return this.fetch(chosen, home, repo)
    if (!configMap) throw new PermanentError('a chart comes from a repository, from git or from a ConfigMap')
    return loadChartArchive(await contentOf(configMap, home), nameOf(configMap))
  }

  /** Loads a chart of a repository. */
  async fetch(
    { url, digest, registry }: IndexedChart,
    home: RepositoryCall,
    repo: Repository,
  ): Promise<FileChart> {
    const server = registry ?? repo // A registry that an index names gets no credentials.
    const archive = isRegistry(server)
      ? await fetchFromRegistry(url, server, await this.#registryOptions(server, home))
      : await this.#fetchOf(server, url, { ...home, limitBytes: fileLimitBytes })
    const name = nameOfUrl(new URL(url))
    if (digest !== undefined)
      checkDigest(name, archive, parseDigest(`sha256:${digest.replace(/^sha256:/, '')}`))
    if (repo.digest !== undefined) checkDigest(name, archive, parseDigest(repo.digest))
    return loadChartArchive(archive, name)
  }

  /** The merged values of all sources; later sources take precedence. */
  async values(sources: readonly ValuesSource[], home: HomeClient): Promise<JsonObject> {
    let merged: JsonObject = {}
    for (const source of sources) merged = mergeValues(merged, await this.#valuesOf(source, home))
    return merged
  }

  async #valuesOf({ raw, file = '', configMap }: ValuesSource, home: HomeClient): Promise<JsonObject> {
    if (raw) return raw
    if (configMap) return yamlMap(await contentOf(configMap, home), nameOf(configMap))
    const content = await this.#fetch(file, { signal: home.signal, limitBytes: fileLimitBytes })
    return yamlMap(content, nameOfUrl(new URL(file)))
  }

  /** Fetches a file of a repository. Its credentials are sent only to its own origin. */
  async #fetchOf(
    repo: Repository,
    url: string,
    { limitBytes, client, signal }: RepositoryCall & { readonly limitBytes: number },
  ): Promise<Buffer> {
    this.#allowList?.check(url)
    const isItsOwn = repo.auth && new URL(url).origin === new URL(repo.url).origin
    const authorization =
      repo.auth && isItsOwn && client ? await readAuthorization(repo.auth, { client, signal }) : undefined
    return this.#fetch(url, { signal, limitBytes, authorization })
  }

  #fetch(url: string, options: Omit<FetchOptions, 'allowList'>): Promise<Buffer> {
    return fetchProgram(url, { ...options, ...this.#limitsFor(url), what: 'file' })
  }

  /** The options of requests to a registry, whose challenges are answered with the credentials. */
  async #registryOptions(
    { auth, url }: Pick<Repository, 'auth' | 'url'>,
    { client, signal }: RepositoryCall,
  ) {
    const limits = this.#limitsFor(url)
    const credentials = auth && client ? await readCredentials(auth, { client, signal }) : undefined
    return { ...limits, signal, credentials, limitBytes: fileLimitBytes }
  }

  /** The options of requests to a git server, which takes a token as a password. */
  async #gitOptions(
    { auth, repo }: GitSource,
    { client, signal }: RepositoryCall,
  ): Promise<GitFolderOptions> {
    const limits = this.#limitsFor(repo)
    const { httpsSecretRef: secret } = auth ?? {}
    if (!secret || !client) return { ...limits, signal }
    checkGitUrl(repo, limits.allowList) // Before the Secret is read.
    return {
      ...limits,
      signal,
      authorization: basicAuthorization(await readCredentials(secret, { client, signal })),
    }
  }

  #limitsFor(url: string): Pick<FetchOptions, 'allowList' | 'ca'> {
    if (this.#allowList) return { allowList: this.#allowList, ca: this.#ca }
    throw new PermanentError(
      `this operator fetches no charts and values, got ${JSON.stringify(url.slice(0, 200))}: set helm.charts in the options of moduleControllers`,
    )
  }
}

const baseOf = ({ url }: Repository) => `${trimEndSlashes(url)}/`

const nameOf = ({ namespace, name, key }: ConfigMapKey) => `ConfigMap ${namespace}/${name}, key ${key}`

/** The content of a key. The ConfigMap may be created later, so its absence is not permanent. */
async function contentOf(
  { namespace, name, key }: ConfigMapKey,
  { client, signal }: HomeClient,
): Promise<Buffer> {
  const configMap: ConfigMap = await client
    .get(configMaps, { namespace, name }, { signal })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      throw new Error(`ConfigMap ${namespace}/${name} does not exist; create it`)
    })
  return programOfConfigMap(configMap, key, fileLimitBytes)
}

/** Values as helm reads them, which takes YAML 1.1. */
async function yamlMap(content: Buffer, name: string): Promise<JsonObject> {
  const { yamlToJson } = await import('../../engine/kube/go-yaml/yaml-to-json.js')
  const value = parsed(name, () => parseJson(yamlToJson(content.toString('utf8')).json))
  if (value === null) return {}
  if (isJsonObject(value)) return value
  throw new PermanentError(`${name}: the values are not a map`)
}

function parsed(name: string, parse: () => unknown): unknown {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new PermanentError(`${name}: the values are not YAML: ${cause.message}`, { cause })
  }
}
