/** PKCS #10 certificate requests (RFC 2986), as in `spec.request`: PEM as base64. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DerValue, derAt, derMembers } from './der.js'
import { pemBlocks } from './pem.js'

/** The parts of a request that are read here. */
interface RequestParts {
  /** The bytes that are signed. */
  readonly signed: Buffer
  /** The distinguished name of the subject, as DER. */
  readonly subject: Buffer
  readonly key: KeyObject
  /** The algorithm of the signature, as hexadecimal DER of its identifier. */
  readonly algorithm: string
  readonly signature: Buffer
}

const label = 'CERTIFICATE REQUEST'
type KeyType = 'rsa' | 'ec' | 'ed25519'

interface Algorithm {
  readonly keyType: KeyType
  /** Ed25519 has its own. */
  readonly digest: string | null
}

/** The algorithms of signatures, by object identifiers. */
const algorithms = new Map<string, Algorithm>([
  ['2a864886f70d010105', { keyType: 'rsa', digest: 'sha1' }],
  ['2a864886f70d01010b', { keyType: 'rsa', digest: 'sha256' }],
  ['2a864886f70d01010c', { keyType: 'rsa', digest: 'sha384' }],
  ['2a864886f70d01010d', { keyType: 'rsa', digest: 'sha512' }],
  ['2a8648ce3d0401', { keyType: 'ec', digest: 'sha1' }],
  ['2a8648ce3d040302', { keyType: 'ec', digest: 'sha256' }],
  ['2a8648ce3d040303', { keyType: 'ec', digest: 'sha384' }],
  ['2a8648ce3d040304', { keyType: 'ec', digest: 'sha512' }],
  ['2b6570', { keyType: 'ed25519', digest: null }],
])

interface KeyWords {
  readonly algorithm: string
  /** The type of the key in Go. */
  readonly goType: string
  readonly failure: string
}

const keys: Readonly<Record<KeyType, KeyWords>> = {
  rsa: { algorithm: 'RSA', goType: '*rsa.PublicKey', failure: 'crypto/rsa: verification error' },
  ec: { algorithm: 'ECDSA', goType: '*ecdsa.PublicKey', failure: 'x509: ECDSA verification failure' },
  ed25519: {
    algorithm: 'Ed25519',
    goType: 'ed25519.PublicKey',
    failure: 'x509: Ed25519 verification failure',
  },
}
const unsupported = 'x509: cannot verify signature: algorithm unimplemented'
const malformed = "asn1: structure error: tags don't match"

/** The problem of a certificate request; undefined if it is one, and its signature is that of its key. */
export function requestProblem(request: string): string | undefined {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'))
  if (block?.label !== label) return `PEM block type must be ${label}`
  const parsed = parse(block.bytes)
  if (parsed === undefined) return malformed
  const algorithm = algorithms.get(parsed.algorithm)
  return algorithm === undefined ? unsupported : signatureProblem(parsed, algorithm)
}

function signatureProblem(parsed: RequestParts, { keyType, digest }: Algorithm): string | undefined {
  const type = parsed.key.asymmetricKeyType
  if (type !== 'rsa' && type !== 'ec' && type !== 'ed25519') return unsupported
  if (type !== keyType) {
    const actualText = `but have public key of type ${keys[type].goType}`
    return `x509: signature algorithm specifies an ${keys[keyType].algorithm} public key, ${actualText}`
  }
  return isSigned(parsed, digest) ? undefined : keys[type].failure
}

function isSigned({ signed, key, signature }: RequestParts, digest: string | null): boolean {
  try {
    return verify(digest, signed, key, signature)
  } catch {
    // A key that cannot verify anything, such as one of a curve without support.
    return false
  }
}

/** The subject of a request as DER; empty if it cannot be read. */
export function requestSubject(request: string): Buffer {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'))
  return (block && parse(block.bytes)?.subject) ?? Buffer.alloc(0)
}

function parse(der: Buffer): RequestParts | undefined {
  const [info, algorithm, signature] = membersOf(derAt(der, 0))
  const [, subject, publicKey] = membersOf(info)
  const [identifier] = membersOf(algorithm)
  const key = publicKey === undefined ? undefined : keyIn(publicKey.bytes)
  if (!info || !subject || !identifier || !signature || key === undefined) return undefined
  return {
    signed: info.bytes,
    subject: subject.content,
    key,
    algorithm: identifier.content.toString('hex'),
    // A bit string begins with the number of unused bits.
    signature: signature.content.subarray(1),
  }
}

const membersOf = (value: DerValue | undefined) =>
  (value === undefined ? undefined : derMembers(value.content)) ?? []

function keyIn(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    // Not a key, or one of an algorithm that is not supported: the request is malformed.
    return undefined
  }
}
