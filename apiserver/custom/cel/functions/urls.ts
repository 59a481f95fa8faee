import type { CelEnvironment } from '../cel-library.js'
import { Comparable } from '../equality-key.js'
import { addFunctions } from './function-library.js'

const urlPattern =
  /^(?:([a-zA-Z][a-zA-Z\d+.-]*):)?(?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?(?=[/?#]|$))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/

/** A URL, parsed like Go's `net/url`. */
class Url extends Comparable {
  readonly text: string
  readonly scheme: string
  readonly hostname: string
  readonly port: string
  readonly path: string
  readonly query: string

  constructor(text: string, [, scheme = '', host = '', port = '', path = '', query = '']: RegExpExecArray) {
    super()
    this.text = text
    this.scheme = scheme.toLowerCase()
    this.hostname = host
    this.port = port
    this.path = path
    this.query = query
  }

  override equals(other: unknown): boolean {
    return other instanceof Url && other.text === this.text
  }

  override get equalityKey(): string {
    return `url ${this.text}`
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses them
const forbidden = /[\x00-\x1f\x7f]|%(?![\da-f]{2})/i

function parse(text: string): Url | undefined {
  const match = urlPattern.exec(text)
  const isAbsolute = match?.[1] !== undefined || text.startsWith('/')
  const hasHost = match?.[2] !== undefined || !/^[a-zA-Z][\w+.-]*:\/\//.test(text)
  if (match === null || !isAbsolute || !hasHost || forbidden.test(text)) return undefined
  return new Url(text, match)
}

function urlOf(text: string): Url {
  const url = parse(text)
  if (url !== undefined) return url
  const quoted = JSON.stringify(text)
  throw new Error(`URL parse error during conversion from string: parse ${quoted}: invalid URI for request`)
}

function queryOf({ query }: Url): Map<string, string[]> {
  const valuesByKey = new Map<string, string[]>()
  for (const [key, value] of new URLSearchParams(query))
    valuesByKey.set(key, [...(valuesByKey.get(key) ?? []), value])
  return valuesByKey
}

const urlType = 'kubernetes.URL'

/** Adds Kubernetes' URL functions. */
export function addUrls(environment: CelEnvironment): void {
  environment.registerType(urlType, { ctor: Url, fields: {} })
  environment.registerOperator(`${urlType} == ${urlType}: bool`, (a: Url, b: Url) => a.equals(b))
  addFunctions(environment, {
    [`url(string): ${urlType}`]: urlOf,
    'isURL(string): bool': (text: string) => parse(text) !== undefined,
    [`${urlType}.getScheme(): string`]: ({ scheme }: Url) => scheme,
    [`${urlType}.getHost(): string`]: ({ hostname, port }: Url) =>
      port === '' ? hostname : `${hostname}:${port}`,
    [`${urlType}.getHostname(): string`]: ({ hostname }: Url) => hostname.replace(/^\[(.*)\]$/, '$1'),
    [`${urlType}.getPort(): string`]: ({ port }: Url) => port,
    [`${urlType}.getEscapedPath(): string`]: ({ path }: Url) => path.replaceAll(' ', '%20'),
    [`${urlType}.getQuery(): map<string, list<string>>`]: queryOf,
  })
}
