// Digests of programs: `sha256-<base64>`, `sha256:<hex>`, and both with sha512.
import { createHash, timingSafeEqual } from 'node:crypto'
import { ProgramError } from './program-error.js'

/** A digest that was read: the algorithm and the bytes. */
export interface Digest {
  readonly algorithm: 'sha256' | 'sha512'
  readonly bytes: Buffer
}

const digestLengths = { sha256: 32, sha512: 64 } as const

/**
 * Reads a digest. Throws `INVALID_DIGEST` if the text has another form or another length than its algorithm.
 *
 * @example
 * ```ts
 * const { algorithm, bytes } = parseDigest('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
 * ```
 */
export function parseDigest(text: string): Digest {
  const match = /^(sha256|sha512)(?:-([A-Za-z0-9+/]+={0,2})|:([0-9a-fA-F]+))$/.exec(text)
  if (!match) throw invalidDigestError(text)
  const algorithm = match[1] as Digest['algorithm']
  const bytes = match[2] ? Buffer.from(match[2], 'base64') : Buffer.from(match[3] ?? '', 'hex')
  const again = match[2] ? bytes.toString('base64') : bytes.toString('hex')
  const written = match[2] ?? match[3]?.toLowerCase()
  if (bytes.length !== digestLengths[algorithm] || again !== written) throw invalidDigestError(text)
  return { algorithm, bytes }
}

/** The SHA-256 of a program, as `sha256-<base64>`. */
export function digestOf(program: Uint8Array): string {
  return `sha256-${createHash('sha256').update(program).digest('base64')}`
}

/** Throws `DIGEST_MISMATCH` unless the program has the digest. `name` is the name of the program in the message. */
export function checkDigest(name: string, program: Uint8Array, digest: Digest): void {
  const actual = createHash(digest.algorithm).update(program).digest()
  if (timingSafeEqual(actual, digest.bytes)) return
  const [expected, found] = [digest.bytes, actual].map((bytes) => bytes.toString('base64'))
  throw new ProgramError(
    'DIGEST_MISMATCH',
    `${name}: the digest is ${digest.algorithm}-${found}, expected ${digest.algorithm}-${expected}. ` +
      'Check that the content is the one you trust, then set its digest.',
  )
}

function invalidDigestError(text: string): ProgramError {
  const forms = 'sha256-<base64>, sha256:<hex>, sha512-<base64> or sha512:<hex>'
  return new ProgramError(
    'INVALID_DIGEST',
    `digest: must be ${forms}, got ${JSON.stringify(text.slice(0, 200))}`,
  )
}
