import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { bits, derTrue, integer, objectId, octets, sequence, set, tagged, utcTime, utf8 } from './der.js'

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

/** The time in which certificates are valid, to the second; before 2050. */
export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** A part of the name of a certificate's holder: the object identifier of its type, and its value. */
export type NamePart = readonly [type: string, value: string]

/** The certificate that an authority issues. */
export interface LeafOptions {
  readonly subject: readonly NamePart[]
  /** The side of a TLS connection that uses the certificate. */
  readonly usage: 'server' | 'client'
  /** DNS names of a server; default none. */
  readonly dnsNames?: readonly string[]
  /** IP addresses of a server; default none. */
  readonly addresses?: readonly string[]
}

/** The object identifier of a common name. */
export const commonName = '2.5.4.3'
/** The object identifier of an organization. */
export const organization = '2.5.4.10'

const usages = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' }
const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'))

/**
 * A certificate authority (RFC 5280). Its private key exists only in this object, so nothing can sign in its name once
 * the object is gone. The certificates that it issues are valid as long as its own.
 */
export class CertificateAuthority {
  /** The authority's own certificate, PEM. */
  readonly certificate: string
  readonly #keys = newKeys()
  readonly #issuer: Buffer
  readonly #identifier: Buffer
  readonly #validity: Validity

  constructor(name: string, validity: Validity) {
    this.#issuer = nameOf([[commonName, name]])
    this.#identifier = keyIdentifier(this.#keys.publicKey)
    this.#validity = validity
    this.certificate = this.#sign(this.#issuer, this.#keys.publicKey, [
      extension('2.5.29.19', sequence(derTrue), true),
      keyUsage(0x84, 2),
      extension('2.5.29.14', octets(this.#identifier)),
    ])
  }

  /** Makes a key and a certificate for it. */
  issue({ subject, usage, dnsNames = [], addresses = [] }: LeafOptions): KeyPair {
    const leaf = newKeys()
    const hasNames = dnsNames.length + addresses.length > 0
    const certificate = this.#sign(nameOf(subject), leaf.publicKey, [
      keyUsage(0x80, 7),
      extension('2.5.29.37', sequence(objectId(usages[usage]))),
      extension('2.5.29.35', sequence(tagged(0, this.#identifier, 'implicit'))),
      ...(hasNames ? [alternativeNames(dnsNames, addresses)] : []),
    ])
    return { certificate, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }

  #sign(subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]): string {
    const { notBefore, notAfter } = this.#validity
    const content = sequence(
      tagged(0, integer(Buffer.from([2])), 'explicit'),
      integer(serialNumber()),
      ecdsaWithSha256,
      this.#issuer,
      sequence(utcTime(notBefore), utcTime(notAfter)),
      subject,
      publicKeyInfo(publicKey),
      tagged(3, sequence(...extensions), 'explicit'),
    )
    const signature = sign('sha256', content, this.#keys.privateKey)
    return pem('CERTIFICATE', sequence(content, ecdsaWithSha256, bits(signature)))
  }
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

function nameOf(parts: readonly NamePart[]): Buffer {
  return sequence(...parts.map(([type, value]) => set(sequence(objectId(type), utf8(value)))))
}

function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1').update(publicKeyInfo(publicKey)).digest()
}

function publicKeyInfo(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [derTrue] : []), octets(value))
}

function keyUsage(flags: number, unusedBits: number): Buffer {
  return extension('2.5.29.15', bits(Buffer.from([flags]), unusedBits), true)
}

function alternativeNames(dnsNames: readonly string[], addresses: readonly string[]): Buffer {
  const names = [
    ...[...new Set(dnsNames)].map((name) => tagged(2, Buffer.from(name), 'implicit')),
    ...[...new Set(addresses)].map((address) => tagged(7, addressBytes(address), 'implicit')),
  ]
  return extension('2.5.29.17', sequence(...names))
}

function addressBytes(address: string): Buffer {
  // Not `isIPv6`: Node compiles a large pattern for it, which takes milliseconds.
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // A URL has the canonical form: hexadecimal groups, and `::` at most once. A certificate has no zones.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const digits = [...first, ...zeros, ...last].map((group) => group.padStart(4, '0'))
  return Buffer.from(digits.join(''), 'hex')
}

/** Sixteen random bytes; the first is neither zero nor negative. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
