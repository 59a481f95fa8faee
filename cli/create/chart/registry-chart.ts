/** Charts in OCI registries: `oci://registry.example/charts/web`, with a tag, a version or a digest. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Challenge, readChallenge, tokenUrl } from '../../../sdk/modules/oci/challenge.js'
import { chartLayerOf, manifestType } from '../../../sdk/modules/oci/chart-manifest.js'
import { newestVersion } from '../../../sdk/modules/program/version-range.js'
import { basic, type ChartCredentials } from './credentials.js'
import { DownloadError, type Downloaded, download, statusError } from './download.js'
import type { FetchedChart, RemoteChart } from './fetched-chart.js'

/** The most bytes of a manifest, a list of tags and a token: 4 MiB. */
const documentBytes = 4 * 2 ** 20
/** The most pages of a list of tags. */
const maxPages = 20

const reference =
  /^oci:\/\/([a-zA-Z0-9.-]+(?::\d+)?|\[[0-9a-f:]+\](?::\d+)?)\/([a-z0-9]+(?:(?:\.|_|__|-+|\/)[a-z0-9]+)*)(?::(\w[\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/
const tagsSchema = z.object({ tags: z.array(z.string()).nullish() })
const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() })

/**
 * Fetches the archive of a chart from a registry. Rejects with {@link DownloadError}, or with an error about its
 * manifest.
 */
export async function registryChart(
  { chart, version, limitBytes }: RemoteChart,
  credentials?: ChartCredentials,
): Promise<FetchedChart> {
  const [, host = '', path = '', tag, digest] = reference.exec(chart) ?? []
  if (path === '')
    throw new DownloadError(
      'it is not an oci:// address of a chart, such as oci://registry.example/charts/web:1.2.3',
    )
  const registry = new ChartRegistry(`${schemeOf(host)}://${host}/v2/${path}`, credentials)
  const name = `oci://${host}/${path}`
  const wanted = digest ?? tag ?? (await registry.tagFor(version, name))
  const manifest = await registry.read(`manifests/${wanted}`, {
    accept: manifestType,
    limitBytes: documentBytes,
  })
  if (digest !== undefined) checkSha256(manifest, digest, name)
  const layer = chartLayerOf(JSON.parse(manifest.toString('utf8')), `${name}:${wanted}`)
  if (layer.size > limitBytes) throw new DownloadError(`it has ${layer.size} bytes, more than ${limitBytes}`)
  const archive = await registry.read(`blobs/${layer.digest}`, { accept: '*/*', limitBytes })
  checkSha256(archive, layer.digest, name)
  return { archive, place: name }
}

/** As container tools do, registries on this machine are asked without TLS. */
const schemeOf = (host: string) =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/.test(host) ? 'http' : 'https'

function checkSha256(bytes: Buffer, digest: string, name: string): void {
  const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  if (found === digest.toLowerCase()) return
  throw new DownloadError(`${name}: the content has the digest ${found}, expected ${digest}`)
}

/** The type of a content of a registry, and the most bytes that are read. */
interface Reading {
  readonly accept: string
  readonly limitBytes: number
}

class ChartRegistry {
  readonly #url: string
  readonly #credentials: ChartCredentials | undefined
  #authorization: string | undefined

  constructor(url: string, credentials: ChartCredentials | undefined) {
    this.#url = url
    this.#credentials = credentials
  }

  /** The tag of the newest version in a range; a tag has `_` in place of `+`. */
  async tagFor(version: string | undefined, name: string): Promise<string> {
    const versions = (await this.#tags()).map((tag) => tag.replaceAll('_', '+'))
    const found =
      version !== undefined && versions.includes(version) ? version : newestVersion(versions, version)
    if (found !== undefined) return found.replaceAll('+', '_')
    const asked =
      version === undefined ? 'version without a pre-release' : `version ${JSON.stringify(version)}`
    throw new DownloadError(`${name} has no ${asked}; it has ${versions.slice(0, 5).join(', ') || 'none'}`)
  }

  async #tags(): Promise<string[]> {
    const tags: string[] = []
    let next: string | undefined = `${this.#url}/tags/list`
    for (let page = 0; next !== undefined && page < maxPages; page++) {
      const { body, headers } = await this.#get(next, {
        accept: 'application/json',
        limitBytes: documentBytes,
      })
      tags.push(...(tagsSchema.parse(JSON.parse(body.toString('utf8'))).tags ?? []))
      const [, link] = /^\s*<([^>]+)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '') ?? []
      next = link === undefined ? undefined : this.#sameOrigin(new URL(link, next).href)
    }
    return tags
  }

  /** Reads a part of the repository. */
  async read(path: string, reading: Reading): Promise<Buffer> {
    return (await this.#get(`${this.#url}/${path}`, reading)).body
  }

  async #get(url: string, reading: Reading): Promise<Downloaded> {
    const first = await this.#send(url, reading)
    const challenge =
      first.status === 401 ? readChallenge(first.headers.get('www-authenticate') ?? '') : undefined
    if (challenge) this.#authorization = await this.#answerTo(challenge)
    const last = challenge && this.#authorization ? await this.#send(url, reading) : first
    if (last.status !== 200) throw statusError(url, last.status)
    return last
  }

  #send(url: string, { accept, limitBytes }: Reading): Promise<Downloaded> {
    const authorization = this.#authorization
    return download({ url, limitBytes, headers: { accept, ...(authorization && { authorization }) } })
  }

  /** The registry names the server of tokens, which may see the credentials, as in the specification. */
  async #answerTo(challenge: Challenge): Promise<string | undefined> {
    const own = this.#credentials && basic(this.#credentials)
    if (challenge.scheme === 'basic') return own
    const url = tokenUrl(challenge)
    if (this.#url.startsWith('https:') && !url.startsWith('https:'))
      throw new DownloadError('the server of tokens that the registry names has no TLS')
    const headers = { accept: 'application/json', ...(own && { authorization: own }) }
    const { status, body } = await download({ url, headers, limitBytes: documentBytes })
    if (status !== 200) throw statusError(url, status)
    const { token, access_token: other } = tokenSchema.parse(JSON.parse(body.toString('utf8')))
    return `Bearer ${token ?? other ?? ''}`
  }

  #sameOrigin(url: string): string {
    if (new URL(url).origin === new URL(this.#url).origin) return url
    throw new DownloadError('the next page of its tags is on another server')
  }
}
