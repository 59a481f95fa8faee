import type { Http2Request } from './exchange.js'
import { fieldBytes } from './header-list.js'
import type { HeaderEncoder, Indexing } from './hpack/header-encoder.js'

/**
 * The headers with credentials. They stay out of every table, so that a proxy cannot find them by guessing (RFC 7541,
 * section 7.1.3).
 */
const neverIndexed = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** The headers that HTTP/2 forbids (RFC 9113, section 8.2.2); `:authority` replaces `host`. */
const forbidden = new Set([
  'connection',
  'content-length',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** The characters of header names, methods, header values and paths. */
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const methodToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/
const target = /^[/*][\x21-\x7e]*$/

/** The maximum number of header names that a session remembers. */
const maxNames = 100

/**
 * Checks requests before they are sent. Most headers are the same as in the last request, so that comparing them is
 * enough.
 */
export class RequestCheck {
  /** The last valid value of each name. */
  readonly #validValues = new Map<string, string>()

  /** Returns why HTTP/2 cannot carry a request, without quoting a value; `undefined` if it can. */
  problemOf({ method, path, headers }: Http2Request, maxListBytes: number): string | undefined {
    if (!methodToken.test(method)) return 'its method has a character that is not allowed'
    if (!target.test(path)) return 'its path has a character that is not allowed; escape it'
    let bytes = fieldBytes(':path', path) + pseudoBytes
    for (const name in headers) {
      for (const text of valuesOf(headers, name)) {
        const problem = this.#validValues.get(name) === text ? undefined : this.#problemOfField(name, text)
        if (problem !== undefined) return problem
        bytes += fieldBytes(name, text)
      }
    }
    if (bytes <= maxListBytes) return undefined
    return `its headers have ${bytes} bytes, and the server takes ${maxListBytes}`
  }

  #problemOfField(name: string, text: string): string | undefined {
    const isCheckedName = this.#validValues.has(name)
    if (!isCheckedName && (!token.test(name) || forbidden.has(name)))
      return `HTTP/2 forbids the header ${JSON.stringify(name)}`
    if (!value.test(text)) return `the header ${name} has a character that is not allowed`
    if (isCheckedName || this.#validValues.size < maxNames) this.#validValues.set(name, text)
    return undefined
  }
}

/** Encodes a request that has no problem. */
export function encodeRequest(
  encoder: HeaderEncoder,
  { method, path, headers }: Http2Request,
  { authority, bodyBytes }: { authority: string; bodyBytes: number | undefined },
): Uint8Array {
  encoder.begin()
  encoder.add(':method', method, 'indexed')
  encoder.add(':scheme', 'https', 'indexed')
  encoder.add(':authority', authority, 'indexed')
  encoder.add(':path', path, 'unindexed')
  for (const name in headers)
    for (const text of valuesOf(headers, name)) encoder.add(name, text, indexingOf(name))
  if (bodyBytes !== undefined) encoder.add('content-length', String(bodyBytes), 'unindexed')
  return encoder.end()
}

function indexingOf(name: string): Indexing {
  return neverIndexed.has(name) ? 'never' : 'indexed'
}

function valuesOf(headers: Http2Request['headers'], name: string): readonly string[] {
  const values = headers[name] ?? []
  return typeof values === 'string' ? [values] : values
}

/** The maximum size of method, scheme and authority, in bytes. */
const pseudoBytes = 512
