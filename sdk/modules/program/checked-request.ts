// Requests to servers that are allowed: their addresses, their redirects, their time and the size of their answers are
// limited.
import { lookup } from 'node:dns/promises'
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AllowList, nameOfUrl } from './allow-list.js'
import { ProgramError } from './program-error.js'
import { authoritiesWith } from './trusted-authorities.js'
import { tooLargeError } from './unpack-program.js'

/** The limits of a request. */
export interface RequestLimits {
  /** The allowed URLs and addresses, also of redirects. */
  readonly allowList: AllowList
  /** Value of the header `Authorization`; never sent to another origin. */
  readonly authorization?: string | undefined
  /** Time limit of the whole request, redirects included, in milliseconds. Default: 30 s. */
  readonly timeoutMs?: number | undefined
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
  /** PEM of certificate authorities for HTTPS, in addition to those of Node. Default: none. */
  readonly ca?: string | undefined
  /** Returns the addresses of a host name. Default: by the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined
}

/** The parts of a request besides the URL. */
export interface RequestContent {
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a POST, which follows no redirect. Default: the request is a GET. */
  readonly body?: Uint8Array
}

/** The answer of a server that is not a redirect. */
export interface ServerAnswer {
  /** The URL that answered, after all redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Reads the body. Throws `PROGRAM_TOO_LARGE` beyond the limit. */
  read(limitBytes: number, what?: string): Promise<Buffer>
}

const maxRedirects = 3

/**
 * Sends a request to an allowed URL, and lets `use` read the answer. Follows up to 3 redirects to allowed URLs.
 * Throws `PROGRAM_NOT_ALLOWED` or `PROGRAM_UNREACHABLE`, or what `use` throws.
 */
export async function requestAllowed<T>(
  text: string,
  { headers = {}, body, ...limits }: RequestLimits & RequestContent,
  use: (answer: ServerAnswer) => Promise<T>,
): Promise<T> {
  const first = limits.allowList.check(text)
  const { timeoutMs = 30_000 } = limits
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = limits.signal ? AbortSignal.any([limits.signal, timeout]) : timeout
  const fail = (cause: unknown): never => {
    limits.signal?.throwIfAborted()
    if (cause instanceof ProgramError) throw cause
    const why = timeout.aborted
      ? `the download took longer than ${timeoutMs} ms`
      : `${(cause as Error).message}${hintOf(cause, limits.allowList)}`
    throw new ProgramError('PROGRAM_UNREACHABLE', `${nameOfUrl(first)}: ${why}`, { cause })
  }
  return follow(first, { limits, signal, headers, body, fail }, use)
}

/** The error codes of a certificate whose authority is unknown. */
const unknownAuthority: ReadonlySet<unknown> = new Set([
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_SIGNATURE_FAILURE'],
])

const hintOf = (cause: unknown, { option }: AllowList) =>
  unknownAuthority.has(Object(cause).code)
    ? `; if you trust the server, set ${option}.ca to the certificate authority that issued its certificate`
    : ''

interface Exchange {
  readonly limits: RequestLimits
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  /** Throws for a connection that failed. */
  fail(cause: unknown): never
}

async function follow<T>(
  first: URL,
  exchange: Exchange,
  use: (answer: ServerAnswer) => Promise<T>,
): Promise<T> {
  let [url, authorization] = [first, exchange.limits.authorization]
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await send(url, authorization, exchange).catch(exchange.fail)
    try {
      const next = redirectOf(url, response, exchange)
      if (!next) return await use(answerOf(url, response, exchange))
      if (next.origin !== url.origin) authorization = undefined
      url = next
    } finally {
      response.destroy()
    }
  }
  throw new ProgramError('PROGRAM_UNREACHABLE', `${nameOfUrl(first)}: more than ${maxRedirects} redirects`)
}

function redirectOf(url: URL, response: IncomingMessage, { limits, body }: Exchange): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || !response.headers.location)
    return undefined
  try {
    const next = limits.allowList.check(response.headers.location, url)
    if (!body) return next
    throw new ProgramError('PROGRAM_UNREACHABLE', `${nameOfUrl(next)}: a POST follows no redirect`)
  } catch (cause) {
    const { code, message } = cause as ProgramError
    throw new ProgramError(code, `${nameOfUrl(url)} redirects to ${message}`, { cause })
  }
}

async function send(
  url: URL,
  authorization: string | undefined,
  { limits, signal, headers, body }: Exchange,
): Promise<IncomingMessage> {
  const addresses = await addressesOf(url, limits, signal)
  const options: RequestOptions = {
    agent: false,
    signal,
    method: body ? 'POST' : 'GET',
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...(authorization !== undefined && { authorization }),
      ...(body && { 'content-length': body.byteLength }),
    },
  }
  if (addresses) options.lookup = lookupOf(addresses)
  return await new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const request = isSecure
      ? httpsRequest(url, { ...options, ca: authoritiesWith(limits.ca) })
      : httpRequest(url, options)
    request.on('response', resolve).on('error', reject).end(body)
  })
}

/** The checked addresses of a host name: the connection uses these, so that a second answer of DNS cannot differ. */
async function addressesOf(
  url: URL,
  { allowList, resolve = resolveBySystem }: RequestLimits,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  const addresses = await untilAborted(resolve(url.hostname), signal)
  allowList.checkAddresses(url, addresses)
  return addresses
}

async function resolveBySystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
  })
  signal.addEventListener('abort', onAbort, { once: true })
  return await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, done) => {
    const [first] = all
    if (!first) done(new Error(`${host} has no address`), '')
    else if (options.all) done(null, all)
    else done(null, first.address, first.family)
  }
}

function answerOf(url: URL, response: IncomingMessage, { fail }: Exchange): ServerAnswer {
  const { statusCode: status = 0, headers } = response
  const read = (limitBytes: number, what?: string) =>
    contentOf(response, { name: nameOfUrl(url), limitBytes, what }).catch(fail)
  return { url, status, headers, read }
}

async function contentOf(
  response: IncomingMessage,
  { name, limitBytes, what }: { name: string; limitBytes: number; what: string | undefined },
): Promise<Buffer> {
  if (Number(response.headers['content-length']) > limitBytes) throw tooLargeError(name, limitBytes, what)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limitBytes) throw tooLargeError(name, limitBytes, what)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
