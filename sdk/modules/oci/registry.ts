/**
 * One repository of an OCI registry, read by its HTTP API: https://github.com/opencontainers/distribution-spec. Every
 * address is allowed by the list, that of the server of tokens included. A token goes to the registry alone.
 */
import { z } from 'zod'
import { nameOfUrl } from '../program/allow-list.js'
import { basicAuthorization, type Credentials } from '../program/authorization.js'
import { type RequestLimits, requestAllowed, type ServerAnswer } from '../program/checked-request.js'
import { checkStatus } from '../program/fetch-program.js'
import { type Challenge, readChallenge, tokenUrl } from './challenge.js'
import { RegistryError } from './registry-error.js'

/** The most bytes of a list, of a manifest and of a token: 4 MiB. */
const documentLimitBytes = 4 * 2 ** 20
/** The most pages of a list of tags. */
const maxPages = 20

const tagsSchema = z.object({ tags: z.array(z.string()).nullish() })
const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() })

/** How a registry is asked. */
export interface RegistryOptions extends Omit<RequestLimits, 'authorization'> {
  /** The credentials for the registry. */
  readonly credentials?: Credentials | undefined
}

/** A repository, such as `https://registry.example/v2/charts/web`. */
export class Registry {
  /** Its URL. */
  readonly url: string
  readonly #options: RegistryOptions
  #authorization: string | undefined

  constructor(url: string, options: RegistryOptions) {
    this.url = url.replace(/\/+$/, '')
    this.#options = options
  }

  /** All tags. */
  async tags(): Promise<string[]> {
    const tags: string[] = []
    let next: string | undefined = `${this.url}/tags/list`
    for (let page = 0; next !== undefined; page++) {
      if (page === maxPages)
        throw new RegistryError(`${this.url}: more than ${maxPages} pages of tags; name an exact version`)
      const { body, link }: { body: Buffer; link: string | undefined } = await this.#get(
        next,
        'application/json',
      )
      tags.push(...(parsed(tagsSchema, body, next).tags ?? []))
      next = link === undefined ? undefined : new URL(link, next).href
    }
    return tags
  }

  /** The manifest of a tag. */
  async manifest(tag: string, mediaType: string): Promise<unknown> {
    const url = `${this.url}/manifests/${encodeURIComponent(tag)}`
    const { body } = await this.#get(url, mediaType)
    return parsed(z.unknown(), body, url)
  }

  /** The content with a digest, which the caller compares. */
  async blob(url: string, limitBytes: number, what: string): Promise<Buffer> {
    return this.#ask(url, '*/*', (answer) => answer.read(limitBytes, what))
  }

  #get(url: string, accept: string) {
    return this.#ask(url, accept, async ({ read, headers: { link } }) => ({
      body: await read(documentLimitBytes, 'answer'),
      link: /^\s*<([^>]+)>\s*;\s*rel="?next"?/.exec(String(link ?? ''))?.[1],
    }))
  }

  /** Asks once more with a token if the registry wants one. */
  async #ask<T>(url: string, accept: string, use: (answer: ServerAnswer) => Promise<T>): Promise<T> {
    const send = <R>(read: (answer: ServerAnswer) => Promise<R>) => {
      const authorization = this.#authorizationFor(url)
      return requestAllowed(url, { ...this.#options, headers: { accept }, authorization }, read)
    }
    const asked = await send(async (answer) => {
      if (answer.status !== 401) return { value: await use(checked(answer)) }
      return {
        challenge: readChallenge(answer.headers['www-authenticate']),
        isOwn: isSameOrigin(answer.url.href, this.url),
      }
    })
    if ('value' in asked) return asked.value
    this.#authorization = asked.isOwn ? await this.#answerTo(asked.challenge, url) : undefined
    return send((answer) => use(checked(answer)))
  }

  #authorizationFor(url: string): string | undefined {
    return isSameOrigin(url, this.url) ? this.#authorization : undefined
  }

  async #answerTo(challenge: Challenge | undefined, url: string): Promise<string> {
    const { credentials } = this.#options
    const basic = credentials && basicAuthorization(credentials)
    if (!challenge || (challenge.scheme === 'basic' && basic === undefined))
      throw new RegistryError(
        `${urlName(url)}: the registry answered 401; name a Secret with credentials that may read the chart`,
      )
    return challenge.scheme === 'basic' ? (basic ?? '') : this.#token(challenge, basic)
  }

  /** The server of tokens is one that the list allows, so it may see the credentials, as in the specification. */
  async #token(
    challenge: Extract<Challenge, { scheme: 'bearer' }>,
    authorization: string | undefined,
  ): Promise<string> {
    const url = tokenUrl(challenge)
    const body = await requestAllowed(
      url,
      { ...this.#options, headers: { accept: 'application/json' }, authorization },
      async (answer) => {
        checkStatus(answer)
        return answer.read(documentLimitBytes, 'token')
      },
    )
    const { token, access_token: other } = parsed(tokenSchema, body, url)
    const given = token ?? other
    if (given === undefined || !/^[\x21-\x7e]+$/.test(given))
      throw new RegistryError(`${urlName(url)}: the answer has no token`)
    return `Bearer ${given}`
  }
}

function checked(answer: ServerAnswer): ServerAnswer {
  checkStatus(answer)
  return answer
}

function parsed<T>(schema: z.ZodType<T>, body: Buffer, url: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch (cause) {
    // The content is not quoted: it may be a token.
    throw new RegistryError(`${urlName(url)}: the answer is not the JSON of a registry`, { cause })
  }
}

const isSameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin
const urlName = (url: string) => (URL.canParse(url) ? nameOfUrl(new URL(url)) : 'the URL of the registry')
