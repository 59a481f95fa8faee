/** PKCS #10 certificate requests (RFC 2986), as in `spec.request`: PEM as base64. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DerValue, derAt, derMembers } from './der.js'
import { pemBlocks } from './pem.js'

/** The parts of a request that are read here. */
interface Parsed {
  /** The bytes that are signed. */
  readonly signed: Buffer
  /** The distinguished name of the subject, as DER. */
  readonly subject: Buffer
  readonly key: KeyObject
  /** The algorithm of the signature, as hexadecimal DER of its identifier. */
  readonly algorithm: string
  readonly signature: Buffer
}

const LABEL = 'CERTIFICATE REQUEST'
/** The digests of signatures, by object identifiers; Ed25519 has its own. */
const DIGESTS: Readonly<Record<string, string | null>> = {
  '2a864886f70d010105': 'sha1',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d0401': 'sha1',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
}
const FAILURES: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
}
const MALFORMED = "asn1: structure error: tags don't match"

/** The problem of a certificate request; undefined if it is one, and its signature is that of its key. */
export function requestProblem(request: string): string | undefined {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'))
  if (block?.label !== LABEL) return `PEM block type must be ${LABEL}`
  const parsed = parse(block.bytes)
  if (parsed === undefined) return MALFORMED
  const digest = DIGESTS[parsed.algorithm]
  if (digest === undefined) return 'x509: cannot verify signature: algorithm unimplemented'
  const isValid = verify(digest, parsed.signed, parsed.key, parsed.signature)
  return isValid ? undefined : (FAILURES[String(parsed.key.asymmetricKeyType)] ?? FAILURES.rsa)
}

/** The subject of a request as DER; empty if it cannot be read. */
export function requestSubject(request: string): Buffer {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'))
  return (block && parse(block.bytes)?.subject) ?? Buffer.alloc(0)
}

function parse(der: Buffer): Parsed | undefined {
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
