/** Addresses in their only form; `IsValidIP` and `IsValidCIDR` of k8s.io/apimachinery v0.36.3. */
import { isIP, isIPv4, SocketAddress } from 'node:net'
import { isIPv6 } from '../base/is-ipv6.js'

const malformed = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const malformedRange = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/** IPv4 with leading zeros, which Go accepted in the past. */
function hasLeadingZeros(text: string): boolean {
  const octets = text.split('.')
  const isByte = (octet: string) => /^\d{1,3}$/.test(octet) && Number(octet) <= 255
  return !isIPv4(text) && octets.length === 4 && octets.every(isByte)
}

const isMapped = (text: string) => isIPv6(text) && /^(?:0{0,4}:){2,5}(?:0{1,4}:)*ffff:/i.test(text)

/** An address in the form that RFC 5952 recommends. */
function canonical(text: string): string {
  return isIPv6(text) ? new SocketAddress({ address: text, family: 'ipv6' }).address : text
}

/** The problem of an address that may be in another form than the canonical one; undefined if there is none. */
export function addressProblem(text: string): string | undefined {
  if (hasLeadingZeros(text)) return 'must not have leading 0s'
  if (isIP(text) === 0 || text.includes('%')) return malformed
  return isMapped(text) ? 'must not be an IPv4-mapped IPv6 address' : undefined
}

/** The problem of an address that is not in its canonical form; undefined if there is none. */
export function strictAddressProblem(text: string): string | undefined {
  const problem = addressProblem(text)
  if (problem !== undefined) return problem
  const form = canonical(text)
  return text === form ? undefined : `must be in canonical form (${JSON.stringify(form)})`
}

/** The warning for a valid address of IPv6 that is not in its canonical form. */
export function addressWarnings(field: string, text: string): string[] {
  const form = addressProblem(text) === undefined ? canonical(text) : text
  if (text === form) return []
  return [`${field}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${form}")`]
}

/** The problem of a range that may be in another form than the canonical one; undefined if there is none. */
export function rangeProblem(text: string): string | undefined {
  const [address = '', length = '', ...excess] = text.split('/')
  const bits = isIPv6(address) ? 128 : 32
  const isAddress = isIP(address) !== 0 || hasLeadingZeros(address)
  const isLength = /^\d+$/.test(length) && Number(length) <= bits && excess.length === 0
  if (!isAddress || !isLength || text.includes('%')) return malformedRange
  const isPadded = hasLeadingZeros(address) || /^0\d/.test(length)
  if (isPadded) return 'must not have leading 0s in IP or prefix length'
  if (isMapped(address)) return 'must not have an IPv4-mapped IPv6 address'
  if (hasHostBits(address, Number(length))) return 'must not have bits set beyond the prefix length'
  return undefined
}

/** The problem of a range that is not in its canonical form; undefined if there is none. */
export function strictRangeProblem(text: string): string | undefined {
  const problem = rangeProblem(text)
  if (problem !== undefined) return problem
  const [address = '', length = ''] = text.split('/')
  const form = `${canonical(address)}/${length}`
  return text === form ? undefined : `must be in canonical form (${JSON.stringify(form)})`
}

/** Whether a range is one of IPv6; an IPv4-mapped one is not. */
export function isIPv6Family(text: string): boolean {
  const [address = ''] = text.split('/')
  return isIPv6(address) && !isMapped(address)
}

function hasHostBits(address: string, length: number): boolean {
  const [bits, value] = isIPv6(address) ? [128, numberOf6(address)] : [32, numberOf4(address)]
  return value % 2n ** BigInt(bits - length) !== 0n
}

const numberOf4 = (address: string) =>
  address.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n)

function numberOf6(address: string): bigint {
  const dotted = /[\d.]+$/.exec(address)?.[0] ?? ''
  const four = dotted.includes('.') ? numberOf4(dotted) : 0n
  const plain = dotted.includes('.')
    ? `${address.slice(0, -dotted.length)}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`
    : address
  const [head = '', tail] = plain.split('::')
  const groupsOf = (text: string | undefined) => (text ? text.split(':') : [])
  const missingCount = tail === undefined ? 0 : 8 - groupsOf(head).length - groupsOf(tail).length
  const all = [...groupsOf(head), ...Array.from({ length: missingCount }, () => '0'), ...groupsOf(tail)]
  return all.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n)
}
