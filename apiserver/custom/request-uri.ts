import { isIPv6 } from '../base/is-ipv6.js'

const escapes = /%([0-9a-f]{2})?/gi
const hostCharacters = /^(?:[\w.~!$&'()*+,;=:[\]<>"-]|\P{ASCII})*$/u
const userCharacters = /^[\w.~:!$&'()*+,;=%@-]*$/

/** Whether Go's `url.ParseRequestURI` accepts a text. */
export function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses them
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return false
  if (text === '*') return true
  const scheme = /^[a-z][a-z\d+.-]*(?=:)/i.exec(text)?.[0]
  const [rest = ''] = (scheme === undefined ? text : text.slice(scheme.length + 1)).split('?', 1)
  if (!rest.startsWith('/')) return scheme !== undefined
  if (scheme === undefined || !rest.startsWith('//')) return isEscaped(rest)
  const end = rest.indexOf('/', 2)
  const authority = end === -1 ? rest.slice(2) : rest.slice(2, end)
  return isAuthority(scheme.toLowerCase(), authority) && isEscaped(end === -1 ? '' : rest.slice(end))
}

/** Whether each percent sign begins an escape, which also has to be one of `allowed`. */
function isEscaped(text: string, allowed: (byte: number) => boolean = () => true): boolean {
  return [...text.matchAll(escapes)].every(
    ([, hex]) => hex !== undefined && allowed(Number.parseInt(hex, 16)),
  )
}

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, Math.max(at, 0))
  return userCharacters.test(user) && isEscaped(user) && isHost(scheme, authority.slice(at + 1))
}

function isHost(scheme: string, host: string): boolean {
  const open = host.lastIndexOf('[')
  if (open > 0) return false
  const close = host.lastIndexOf(']')
  if (open === 0) return close > 0 && isPort(host.slice(close + 1)) && isLiteral(host.slice(1, close))
  // Lists of hosts with ports, which databases have, are refused for the two schemes of the web alone.
  const isStrict = scheme === 'http' || scheme === 'https'
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':')
  return (colon === -1 || isPort(host.slice(colon))) && isHostText(host)
}

const isPort = (text: string) => /^(?::\d*)?$/.test(text)

/** In a host, bytes of other than ASCII characters may be escaped, and a percent sign. */
function isHostText(text: string): boolean {
  return (
    hostCharacters.test(text.replace(escapes, '')) && isEscaped(text, (byte) => byte >= 0x80 || byte === 0x25)
  )
}

/** An IPv6 address, perhaps with a zone. */
function isLiteral(text: string): boolean {
  const zoneAt = text.indexOf('%25')
  if (zoneAt === -1) return isHostText(text) && isIPv6(text)
  const zone = text.slice(zoneAt + 3)
  const isZone = zone !== '' && hostCharacters.test(zone.replace(escapes, '')) && isEscaped(zone, isZoneByte)
  return isZone && isIPv6(text.slice(0, zoneAt))
}

const isZoneByte = (byte: number) =>
  byte === 0x20 || byte === 0x25 || hostCharacters.test(String.fromCharCode(byte))
