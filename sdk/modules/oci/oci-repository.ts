/**
 * One repository of an OCI registry, read by its HTTP API: https://github.com/opencontainers/distribution-spec.
 * Credentials go only to the registry and to the server of tokens that it names, and a token only to the registry.
 * {@link RegistryRequests} decides which servers may be asked at all.
 */

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { trimEndSlashes } from '../../engine/kube/trim-slashes.js'
import { nameOfUrl } from '../program/allow-list.js'
import { basicAuthorization, type SecretCredentials } from '../program/authorization.js'
import { type Challenge, readChallenge, tokenUrl } from './challenge.js'
import { RegistryError } from './registry-error.js'
import type { RegistryAnswer, RegistryRequests } from './registry-requests.js'

/** The maximum size of a list, of a manifest and of a token response, in bytes: 4 MiB. */
const documentLimitBytes = 4 * 2 ** 20
/** The maximum number of pages of a list of tags. */
const maxPages = 20

const tagsSchema = z.object({ tags: z.array(z.string()).nullish() })
const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() })

/** Options of {@link OciRepository}. */
export interface OciRepositoryOptions {
  readonly requests: RegistryRequests
  /** The credentials for the registry. Default: none. */
  readonly credentials?: SecretCredentials | undefined
}

/** A repository, such as `https://registry.example/v2/charts/web`. */
export class OciRepository {
  /** Its URL. */
  readonly url: string
  readonly #requests: RegistryRequests
  readonly #credentials: SecretCredentials | undefined
  #authorization: string | undefined

  constructor(url: string, { requests, credentials }: OciRepositoryOptions) {
    this.url = trimEndSlashes(url)
    this.#requests = requests
    this.#credentials = credentials
  }

  /** All tags. */
  async tags(): Promise<string[]> {
    const tags: string[] = []
    let next: string | undefined = `${this.url}/tags/list`
    for (let page = 0; next !== undefined; page++) {
      if (page === maxPages)
        throw new RegistryError(`${this.url}: more than ${maxPages} pages of tags; name an exact version`)
      const { body, link }: ReadDocument = await this.#read(next, 'application/json')
      tags.push(...(parseAnswer(tagsSchema, body, next).tags ?? []))
      next = link === undefined ? undefined : new URL(link, next).href
    }
    return tags
  }

  /** The manifest of a tag, or of a digest `sha256:<hex>`, which is checked. */
  async manifest(reference: string, mediaType: string): Promise<unknown> {
    // Only a digest has a colon, which a path may contain.
    const url = `${this.url}/manifests/${encodeURIComponent(reference).replace('%3A', ':')}`
    const { body } = await this.#read(url, mediaType)
    if (reference.includes(':')) checkSha256(body, reference, url)
    return parseAnswer(z.unknown(), body, url)
  }

  /** The content at a URL; the caller compares its digest. */
  async blob(url: string, limitBytes: number, what: string): Promise<Buffer> {
    return this.#ask(url, '*/*', (answer) => answer.read(limitBytes, what))
  }

  #read(url: string, accept: string): Promise<ReadDocument> {
    return this.#ask(url, accept, async ({ read, headers: { link } }) => ({
      body: await read(documentLimitBytes, 'answer'),
      link: /^\s*<([^>]+)>\s*;\s*rel="?next"?/.exec(String(link ?? ''))?.[1],
    }))
  }

  /** Sends a request, and repeats it with credentials or a token if the registry asks for them. */
  async #ask<T>(url: string, accept: string, use: (answer: RegistryAnswer) => Promise<T>): Promise<T> {
    const send = <R>(read: (answer: RegistryAnswer) => Promise<R>) =>
      this.#requests.get(url, { accept, authorization: this.#authorizationFor(url) }, read)
    const firstAnswer = await send(async (answer) => {
      if (answer.status !== 401) return { value: await this.#use(answer, use) }
      return {
        challenge: readChallenge(String(answer.headers['www-authenticate'] ?? '')),
        isOwn: isSameOrigin(answer.url.href, this.url),
      }
    })
    if ('value' in firstAnswer) return firstAnswer.value
    this.#authorization = firstAnswer.isOwn ? await this.#answerTo(firstAnswer.challenge, url) : undefined
    return send((answer) => this.#use(answer, use))
  }

  async #use<T>(answer: RegistryAnswer, use: (answer: RegistryAnswer) => Promise<T>): Promise<T> {
    this.#requests.checkStatus(answer)
    return use(answer)
  }

  #authorizationFor(url: string): string | undefined {
    return isSameOrigin(url, this.url) ? this.#authorization : undefined
  }

  async #answerTo(challenge: Challenge | undefined, url: string): Promise<string> {
    const basic = this.#credentials && basicAuthorization(this.#credentials)
    if (!challenge || (challenge.scheme === 'basic' && basic === undefined))
      throw new RegistryError(`${urlName(url)}: the registry answered 401; ${this.#requests.credentialsCure}`)
    return challenge.scheme === 'basic' ? (basic ?? '') : this.#token(challenge, basic)
  }

  /** Requests a token. The token server must be allowed like the registry, so it may receive the credentials. */
  async #token(
    challenge: Extract<Challenge, { scheme: 'bearer' }>,
    authorization: string | undefined,
  ): Promise<string> {
    const url = tokenUrl(challenge)
    const body = await this.#requests.get(url, { accept: 'application/json', authorization }, (answer) =>
      this.#use(answer, ({ read }) => read(documentLimitBytes, 'token')),
    )
    const { token, access_token: other } = parseAnswer(tokenSchema, body, url)
    const anyToken = token ?? other
    if (anyToken === undefined || !/^[\x21-\x7e]+$/.test(anyToken))
      throw new RegistryError(`${urlName(url)}: the answer has no token`)
    return `Bearer ${anyToken}`
  }
}

/** The body of an answer, and the link to its next page. */
interface ReadDocument {
  readonly body: Buffer
  readonly link: string | undefined
}

/** Throws a {@link RegistryError} unless a content has the digest `sha256:<hex>`; `name` is that of the content. */
export function checkSha256(content: Buffer, digest: string, name: string): void {
  const actualDigest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  if (actualDigest === digest.toLowerCase()) return
  throw new RegistryError(`${name}: the content has the digest ${actualDigest}, expected ${digest}`)
}

function parseAnswer<T>(schema: z.ZodType<T>, body: Buffer, url: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch (cause) {
    // The content is not quoted: it may be a token.
    throw new RegistryError(`${urlName(url)}: the answer is not the JSON of a registry`, { cause })
  }
}

const isSameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin
const urlName = (url: string) => (URL.canParse(url) ? nameOfUrl(new URL(url)) : 'the URL of the registry')
