/** Whether texts are addresses of a network as Go's strfmt reads them: decimal numbers may begin with zeros. */
import { isIPv4 } from 'node:net'
import { isIPv6 } from '../base/is-ipv6.js'

/** The IPv4 address at the end of a text without the zeros at the start of its numbers. */
const withoutZeros = (text: string) =>
  text.replace(/(?:\d+\.){3}\d+$/, (address) => address.replaceAll(/(?<!\d)0+(?=\d)/g, ''))

/** An IPv6 address without a zone. */
export const isPlainIPv6 = (text: string): boolean => !text.includes('%') && isIPv6(text)

/** An IPv4 address, or an IPv6 address that ends with one. */
export function isLooseIPv4(text: string): boolean {
  const address = withoutZeros(text)
  return text.includes('.') && (isIPv4(address) || isPlainIPv6(address))
}

/** A network: an address, a slash and the number of its bits. */
export function isLooseCidr(text: string): boolean {
  const [address = '', bits = '', ...excess] = text.split('/')
  const plain = withoutZeros(address)
  const maxBits = isIPv4(plain) ? 32 : isPlainIPv6(plain) ? 128 : -1
  return excess.length === 0 && /^\d+$/.test(bits) && Number(bits) <= maxBits
}

/** The lengths in bytes of hardware addresses. */
const lengths = [6, 8, 20]
const pairs = /^[\da-f]{2}(?:([:-])[\da-f]{2}(?:\1[\da-f]{2})*)?$/i
const quads = /^[\da-f]{4}(?:\.[\da-f]{4})*$/i

/** The address of a network interface, with colons, hyphens, dots or nothing between its numbers. */
export function isMac(text: string): boolean {
  const digits = text.replaceAll(/[:.-]/g, '')
  const isSeparated =
    digits.length === text.length ? /^[\da-f]+$/i.test(text) : pairs.test(text) || quads.test(text)
  return isSeparated && lengths.includes(digits.length / 2)
}
