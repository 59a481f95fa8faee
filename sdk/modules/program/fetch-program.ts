// Programs from HTTP and HTTPS servers.
import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AllowList, nameOfUrl } from './allow-list.js'
import { ProgramError } from './program-error.js'
import { programLimitBytes, tooLarge } from './unpack-program.js'

/** How a program is fetched. */
export interface FetchOptions {
  /** The allowed URLs and addresses, also of redirects. */
  readonly allowList: AllowList
  /** Value of the header `Authorization`; never sent to another origin. */
  readonly authorization?: string | undefined
  /** Most bytes of the answer. Default: 8 MiB. */
  readonly limitBytes?: number | undefined
  /** Time for all of it, redirects included, in milliseconds. Default: 30 s. */
  readonly timeoutMs?: number | undefined
  /** Ends the fetch. */
  readonly signal?: AbortSignal | undefined
  /** PEM of the certificate authorities for HTTPS. Default: those of Node. */
  readonly ca?: string | undefined
  /** Returns the addresses of a host name. Default: by the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined
}

const mostRedirects = 3

/**
 * Fetches the content of an allowed URL. Follows up to 3 redirects to allowed URLs, and stops reading at the limit.
 * Throws `PROGRAM_NOT_ALLOWED`, `PROGRAM_UNREACHABLE`, `PROGRAM_TOO_LARGE` or `INVALID_PROGRAM`.
 */
export async function fetchProgram(text: string, options: FetchOptions): Promise<Buffer> {
  const first = options.allowList.check(text)
  const { timeoutMs = 30_000 } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    return await follow(first, options, signal)
  } catch (cause) {
    options.signal?.throwIfAborted()
    if (cause instanceof ProgramError) throw cause
    const why = timeout.aborted ? `the download took longer than ${timeoutMs} ms` : (cause as Error).message
    throw new ProgramError('PROGRAM_UNREACHABLE', `${nameOfUrl(first)}: ${why}`, { cause })
  }
}

async function follow(first: URL, options: FetchOptions, signal: AbortSignal): Promise<Buffer> {
  let [url, authorization] = [first, options.authorization]
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await get(url, { ...options, authorization }, signal)
    try {
      const next = redirectOf(url, response, options.allowList)
      if (!next) return await contentOf(url, response, options.limitBytes ?? programLimitBytes)
      if (next.origin !== url.origin) authorization = undefined
      url = next
    } finally {
      response.destroy()
    }
  }
  throw new ProgramError('PROGRAM_UNREACHABLE', `${nameOfUrl(first)}: more than ${mostRedirects} redirects`)
}

function redirectOf(url: URL, response: IncomingMessage, allowList: AllowList): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || !response.headers.location)
    return undefined
  try {
    return allowList.check(response.headers.location, url)
  } catch (cause) {
    const { code, message } = cause as ProgramError
    throw new ProgramError(code, `${nameOfUrl(url)} redirects to ${message}`, { cause })
  }
}

async function get(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const addresses = await addressesOf(url, options, signal)
  const headers = {
    accept: 'text/javascript, application/javascript, application/octet-stream, */*;q=0.1',
    'accept-encoding': 'identity',
    ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
  }
  const requestOptions: RequestOptions = { agent: false, headers, signal }
  if (addresses) requestOptions.lookup = lookupOf(addresses)
  return await new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...requestOptions, ca: options.ca })
        : httpRequest(url, requestOptions)
    request.on('response', resolve).on('error', reject).end()
  })
}

/** The checked addresses of a host name: the connection uses these, so that a second answer of DNS cannot differ. */
async function addressesOf(
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  const addresses = await untilAborted((options.resolve ?? resolveBySystem)(url.hostname), signal)
  options.allowList.checkAddresses(url, addresses)
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

async function contentOf(url: URL, response: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const name = nameOfUrl(url)
  if (response.statusCode !== 200)
    throw new ProgramError(
      'PROGRAM_UNREACHABLE',
      `${name}: the server answered ${response.statusCode}, expected 200`,
    )
  if (/^text\/html\b/i.test(response.headers['content-type'] ?? ''))
    throw new ProgramError(
      'INVALID_PROGRAM',
      `${name}: the server answered with a web page (text/html), not a program`,
    )
  if (Number(response.headers['content-length']) > limitBytes) throw tooLarge(name, limitBytes)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(name, limitBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
