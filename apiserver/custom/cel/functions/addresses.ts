import { isIP } from 'node:net'
import type { CelEnvironment } from '../cel-library.js'
import { Comparable } from '../equality-key.js'
import { addFunctions, addNamespace } from './function-library.js'

const bitsOfFamily = { 4: 32, 6: 128 } as const

/** An IP address as a number. */
class Ip extends Comparable {
  readonly family: 4 | 6
  readonly value: bigint
  readonly text: string

  constructor(family: 4 | 6, value: bigint) {
    super()
    this.family = family
    this.value = value
    this.text = family === 4 ? formatIPv4(value) : formatIPv6(value)
  }

  override equals(other: unknown): boolean {
    return other instanceof Ip && other.family === this.family && other.value === this.value
  }

  override get equalityKey(): string {
    return `ip ${this.text}`
  }

  /** Whether the address starts with the bits of a prefix. */
  startsWith(prefix: string): boolean {
    return cidrOf(prefix).contains(this)
  }
}

const formatIPv4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** The shortest form, by RFC 5952. */
function formatIPv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  )
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** A network. */
class Cidr extends Comparable {
  readonly ip: Ip
  readonly bits: number

  constructor(ip: Ip, bits: number) {
    super()
    this.ip = ip
    this.bits = bits
  }

  override equals(other: unknown): boolean {
    return other instanceof Cidr && other.bits === this.bits && other.ip.equals(this.ip)
  }

  override get equalityKey(): string {
    return `cidr ${this.text}`
  }

  contains({ family, value }: Ip): boolean {
    const shift = BigInt(bitsOfFamily[family] - this.bits)
    return family === this.ip.family && value >> shift === this.ip.value >> shift
  }

  containsAll(other: Cidr): boolean {
    return this.bits <= other.bits && this.contains(other.ip)
  }

  masked(): Cidr {
    const shift = BigInt(bitsOfFamily[this.ip.family] - this.bits)
    return new Cidr(new Ip(this.ip.family, (this.ip.value >> shift) << shift), this.bits)
  }

  get text(): string {
    return `${this.ip.text}/${this.bits}`
  }
}

function parseIp(text: string): Ip | undefined {
  const family = isIP(text)
  if (family === 4)
    return new Ip(
      4,
      text.split('.').reduce((sum, octet) => (sum << 8n) + BigInt(octet), 0n),
    )
  if (family !== 6 || text.includes('%')) return undefined
  const value = ipv6Value(new URL(`http://[${text}]`).hostname.slice(1, -1))
  return value >> 32n === 0xffffn ? undefined : new Ip(6, value)
}

function ipv6Value(text: string): bigint {
  const [front = '', back] = text.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(front), groups(back ?? '')]
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  return [...first, ...zeros, ...last].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n)
}

function ipOf(text: string): Ip {
  const ip = parseIp(text)
  if (ip !== undefined) return ip
  const quoted = JSON.stringify(text)
  throw new Error(
    `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`,
  )
}

function parseCidr(text: string): Cidr | undefined {
  const [, address = '', length = ''] = /^([^/]*)\/(0|[1-9]\d*)$/.exec(text) ?? []
  const ip = parseIp(address)
  return ip === undefined || Number(length) > bitsOfFamily[ip.family]
    ? undefined
    : new Cidr(ip, Number(length))
}

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text)
  if (cidr !== undefined) return cidr
  throw new Error(
    `network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
  )
}

const isUnspecified = ({ value }: Ip) => value === 0n
const isLoopback = (ip: Ip) => ip.startsWith(ip.family === 4 ? '127.0.0.0/8' : '::1/128')
const isLinkLocal = (ip: Ip) => ip.startsWith(ip.family === 4 ? '169.254.0.0/16' : 'fe80::/10')
const isMulticast = (ip: Ip) => ip.startsWith(ip.family === 4 ? '224.0.0.0/4' : 'ff00::/8')
const isLocalMulticast = (ip: Ip) =>
  ip.family === 4 ? ip.startsWith('224.0.0.0/24') : ((ip.value >> 112n) & 0xff0fn) === 0xff02n
const isGlobal = (ip: Ip) =>
  !isUnspecified(ip) &&
  !isLoopback(ip) &&
  !isLinkLocal(ip) &&
  !isMulticast(ip) &&
  ip.text !== '255.255.255.255'

const ipType = 'net.IP'
const cidrType = 'net.CIDR'

/** Adds Kubernetes' functions for IP addresses and networks. */
export function addAddresses(environment: CelEnvironment): void {
  environment.registerType(ipType, { ctor: Ip, fields: {} })
  environment.registerType(cidrType, { ctor: Cidr, fields: {} })
  environment.registerOperator(`${ipType} == ${ipType}: bool`, (a: Ip, b: Ip) => a.equals(b))
  environment.registerOperator(`${cidrType} == ${cidrType}: bool`, (a: Cidr, b: Cidr) => a.equals(b))
  const functions = { 'isCanonical(string): bool': (text: string) => ipOf(text).text === text }
  addNamespace(environment, { name: 'ip', functions })
  addIps(environment)
  addFunctions(environment, {
    [`cidr(string): ${cidrType}`]: cidrOf,
    'isCIDR(string): bool': (text: string) => parseCidr(text) !== undefined,
    [`string(${cidrType}): string`]: ({ text }: Cidr) => text,
    [`${cidrType}.containsIP(string): bool`]: (cidr: Cidr, text: string) => cidr.contains(ipOf(text)),
    [`${cidrType}.containsIP(${ipType}): bool`]: (cidr: Cidr, ip: Ip) => cidr.contains(ip),
    [`${cidrType}.containsCIDR(string): bool`]: (cidr: Cidr, text: string) => cidr.containsAll(cidrOf(text)),
    [`${cidrType}.containsCIDR(${cidrType}): bool`]: (cidr: Cidr, other: Cidr) => cidr.containsAll(other),
    [`${cidrType}.ip(): ${ipType}`]: ({ ip }: Cidr) => ip,
    [`${cidrType}.prefixLength(): int`]: ({ bits }: Cidr) => BigInt(bits),
    [`${cidrType}.masked(): ${cidrType}`]: (cidr: Cidr) => cidr.masked(),
  })
}

function addIps(environment: CelEnvironment): void {
  addFunctions(environment, {
    [`ip(string): ${ipType}`]: ipOf,
    'isIP(string): bool': (text: string) => parseIp(text) !== undefined,
    [`string(${ipType}): string`]: ({ text }: Ip) => text,
    [`${ipType}.family(): int`]: ({ family }: Ip) => BigInt(family),
    [`${ipType}.isUnspecified(): bool`]: isUnspecified,
    [`${ipType}.isLoopback(): bool`]: isLoopback,
    [`${ipType}.isLinkLocalMulticast(): bool`]: isLocalMulticast,
    [`${ipType}.isLinkLocalUnicast(): bool`]: isLinkLocal,
    [`${ipType}.isGlobalUnicast(): bool`]: isGlobal,
  })
}
