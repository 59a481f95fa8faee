// Decides from which URLs programs may come, and to which addresses the names in them may resolve.
import { BlockList, isIP, isIPv4 } from 'node:net'
import { ProgramError } from './program-error.js'
import { registryHost } from './registry-host.js'

/** The URLs and addresses that programs may come from. */
export interface AllowListOptions {
  /**
   * The beginnings of the allowed URLs, with scheme and host, such as `https://programs.example/stable/`. A path is
   * compared by whole segments. Plain `http:` is allowed only below entries that begin with it.
   * `oci://registry.example/charts` is `https://registry.example/v2/charts`, where the API of that registry has its
   * charts. `oci://docker.io` is Docker Hub, whose API is at `registry-1.docker.io`.
   */
  readonly allow: readonly string[]
  /**
   * Networks such as `10.96.0.0/12` that host names may resolve to although their addresses are loopback, link-local
   * or private. Default: none. An address that is itself the host of an entry of `allow` needs no network here.
   */
  readonly networks?: readonly string[] | undefined
  /** The name of the option with this list, in messages. Default: `programs`. */
  readonly option?: string | undefined
}

const internalNetworks = [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
  ],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/127', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', 'fc00::/7', 'fe80::/9', 'ff00::/8'],
]

/** The allowed beginnings of URLs, and the addresses that their hosts may have. */
export class AllowList {
  readonly #entries: readonly URL[]
  readonly #internal = networksOf(internalNetworks, 'programs')
  readonly #listed: BlockList
  /** The name of the option with this list, in messages. */
  readonly option: string

  /** Throws `PROGRAM_NOT_ALLOWED` if an entry is not the beginning of an `http:` or `https:` URL, or not a network. */
  constructor({ allow, networks = [], option = 'programs' }: AllowListOptions) {
    this.option = option
    this.#entries = allow.map((text) => entryOf(text, option))
    this.#listed = networksOf(networks, option)
  }

  /** Returns the normalised URL. Throws `PROGRAM_NOT_ALLOWED` if it does not begin with an entry of the list. */
  check(text: string, base?: URL): URL {
    if (!URL.canParse(text, base?.href))
      throw notAllowedError(`${JSON.stringify(text.slice(0, 200))}: this is not a URL`)
    const url = new URL(text, base)
    url.hash = ''
    const name = nameOfUrl(url)
    if (url.username || url.password)
      throw notAllowedError(`${name}: remove user and password from the URL; credentials come from a Secret`)
    if (/%2f|%5c/i.test(url.pathname))
      throw notAllowedError(`${name}: the path must not contain encoded slashes`)
    if (!this.#has(url))
      throw notAllowedError(
        `${name}: the URL begins with none of the allowed ones; add it to ${this.option}.allow`,
      )
    return url
  }

  /** The URL of the API of a registry for an `oci:` URL: by plain HTTP only if the list has an entry for that alone. */
  registryUrl(text: string): URL {
    const secure = apiOfRegistry(text)
    const plain = URL.canParse(secure) ? new URL(secure.replace(/^https:/, 'http:')) : undefined
    return plain && !this.#has(new URL(secure)) && this.#has(plain)
      ? this.check(plain.href)
      : this.check(secure)
  }

  #has({ origin, pathname }: URL): boolean {
    return this.#entries.some((entry) => entry.origin === origin && isBelow(entry.pathname, pathname))
  }

  /** Throws `PROGRAM_NOT_ALLOWED` if a host name resolves to an internal address that is not listed. */
  checkAddresses(url: URL, addresses: readonly string[]): void {
    for (const address of addresses)
      if (contains(this.#internal, address) && !contains(this.#listed, address))
        throw notAllowedError(
          `${nameOfUrl(url)}: ${url.hostname} resolves to ${address}, which is loopback, link-local or private; ` +
            `if that is intended, add its network to ${this.option}.networks`,
        )
  }
}

/** The URL in messages: without its query, which may contain a credential. */
export function nameOfUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

/** `oci://registry.example/charts` as `https://registry.example/v2/charts`; any other URL as it is. */
const apiOfRegistry = (text: string) =>
  text.replace(/^oci:\/\/([^/]*)\/?/i, (_match, host: string) => `https://${registryHost(host)}/v2/`)

function entryOf(prefix: string, option: string): URL {
  const text = apiOfRegistry(prefix)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const valid =
    url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash)
  if (!valid)
    throw notAllowedError(
      `${option}.allow: must be the beginning of an https:, http: or oci: URL, got ${JSON.stringify(prefix)}`,
    )
  return url
}

function isBelow(prefix: string, path: string): boolean {
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`
  return path === prefix || path.startsWith(folder)
}

/**
 * Networks such as `10.96.0.0/12`. Throws `PROGRAM_NOT_ALLOWED` with the name of the option for one that cannot be
 * read.
 */
export function networksOf(networks: readonly string[], option: string): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = '', ...more] = network.split('/')
    const size = isIPv4(address) ? 32 : 128
    if (!isIP(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > size || more.length > 0)
      throw notAllowedError(
        `${option}.networks: must be networks such as 10.96.0.0/12, got ${JSON.stringify(network)}`,
      )
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function notAllowedError(message: string): ProgramError {
  return new ProgramError('PROGRAM_NOT_ALLOWED', message)
}
