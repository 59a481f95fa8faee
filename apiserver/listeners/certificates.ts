import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { bits, integer, objectId, octets, sequence, set, TRUE, tagged, utcTime, utf8 } from './der.js'

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

/** The certificate authority of one server: signs the server's own certificate and those of clients; see RFC 5280. */
export interface Authority {
  /** The authority's own certificate, PEM. */
  readonly certificate: string
  /** A certificate for TLS servers on the loopback interface and at `host`. */
  server(host: string): KeyPair
  /** A client certificate: the common name is the user, organizations are the groups. */
  client(user: string, groups: readonly string[]): KeyPair
}

const VALID_DAYS = 365
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))
const DNS_NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

/** Makes a new authority; its key exists only in this process. */
export function createAuthority(name: string): Authority {
  const keys = newKeys()
  const issuer = nameOf([[COMMON_NAME, `${name} authority`]])
  const identifier = keyIdentifier(keys.publicKey)
  const issue = (subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]) =>
    signCertificate({ issuer, subject, publicKey, extensions, signingKey: keys.privateKey })
  const issueLeaf = (subject: Buffer, usage: string, extensions: readonly Buffer[] = []): KeyPair => {
    const leaf = newKeys()
    const certificate = issue(subject, leaf.publicKey, [
      keyUsage(0x80, 7),
      extension('2.5.29.37', sequence(objectId(usage))),
      extension('2.5.29.35', sequence(tagged(0, identifier, 'implicit'))),
      ...extensions,
    ])
    return { certificate, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }
  return {
    certificate: issue(issuer, keys.publicKey, [
      extension('2.5.29.19', sequence(TRUE), true),
      keyUsage(0x84, 2),
      extension('2.5.29.14', octets(identifier)),
    ]),
    server: (host) =>
      issueLeaf(nameOf([[COMMON_NAME, 'kube-apiserver']]), SERVER_AUTH, [alternativeNames(host)]),
    client(user, groups) {
      const organizations = groups.map((group) => [ORGANIZATION, group] as const)
      return issueLeaf(nameOf([...organizations, [COMMON_NAME, user]]), CLIENT_AUTH)
    },
  }
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

function nameOf(parts: readonly (readonly [string, string])[]): Buffer {
  return sequence(...parts.map(([type, value]) => set(sequence(objectId(type), utf8(value)))))
}

function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1').update(publicKeyInfo(publicKey)).digest()
}

function publicKeyInfo(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [TRUE] : []), octets(value))
}

function keyUsage(flags: number, unusedBits: number): Buffer {
  return extension('2.5.29.15', bits(Buffer.from([flags]), unusedBits), true)
}

function alternativeNames(host: string): Buffer {
  const addresses = ['127.0.0.1', '::1', ...(/^[\d.]+$/.test(host) ? [host] : [])]
  const names = [
    ...DNS_NAMES.map((name) => tagged(2, Buffer.from(name), 'implicit')),
    ...[...new Set(addresses)].map((address) => tagged(7, addressBytes(address), 'implicit')),
  ]
  return extension('2.5.29.17', sequence(...names))
}

/** Of IPv6 only the loopback address is needed. */
function addressBytes(address: string): Buffer {
  if (isIPv6(address)) return Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
  return Buffer.from(address.split('.').map(Number))
}

interface CertificateContent {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly signingKey: KeyObject
}

function signCertificate({ issuer, subject, publicKey, extensions, signingKey }: CertificateContent): string {
  const content = sequence(
    tagged(0, integer(Buffer.from([2])), 'explicit'),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(utcTime(daysFromNow(-1)), utcTime(daysFromNow(VALID_DAYS))),
    subject,
    publicKeyInfo(publicKey),
    tagged(3, sequence(...extensions), 'explicit'),
  )
  const signature = sign('sha256', content, signingKey)
  return pem('CERTIFICATE', sequence(content, ECDSA_WITH_SHA256, bits(signature)))
}

/** Sixteen random bytes, the first of which is neither zero nor negative. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
