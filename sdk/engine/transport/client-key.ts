import { createPrivateKey, type KeyObject } from 'node:crypto'

/**
 * The largest RSA client key, in bits. Each new connection signs with the key on the main thread, which takes up to
 * half a second with this size, and seconds with twice the size.
 */
const maxRsaBits = 8192
/** The largest public exponent, in bytes. With a larger one, OpenSSL verifies no signature of a large key. */
const maxExponentBytes = 8

const useOther = 'use an RSA key of 2048 to 4096 bits, an EC key or an Ed25519 key'

/**
 * Throws for a client key that must not sign: the author of a kubeconfig can otherwise block the event loop by the size
 * of its numbers. The message quotes nothing of the key.
 */
export function checkClientKey(pem: string, source: string): void {
  const problem = problemOf(createPrivateKey(pem))
  if (problem !== undefined) throw new Error(`client-key of ${source} ${problem}; ${useOther}`)
}

function problemOf(key: KeyObject): string | undefined {
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      return rsaProblem(key)
    case 'ec':
    case 'ed25519':
    case 'ed448':
      return undefined
    default:
      return `is of type ${key.asymmetricKeyType ?? 'unknown'}, which TLS does not sign with`
  }
}

function rsaProblem(key: KeyObject): string | undefined {
  const { modulusLength = Number.POSITIVE_INFINITY } = key.asymmetricKeyDetails ?? {}
  if (modulusLength > maxRsaBits)
    return `is an RSA key of ${modulusLength} bits, more than the limit of ${maxRsaBits}`
  return hasFittingNumbers(key)
    ? undefined
    : 'is an RSA key with more than two primes, or with numbers that do not fit its size'
}

/**
 * Whether no number of an RSA key is longer than its modulus allows. A signature takes time by the lengths of all of
 * them, and OpenSSL 3.0, which Node 20 has, checks none.
 */
function hasFittingNumbers(key: KeyObject): boolean {
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' })
  const [, , privateKey] = elementsOf(firstElementOf(pkcs8))
  const numbers = [...elementsOf(firstElementOf(privateKey ?? pkcs8))]
  const [, n = 0, e = 0, d = 0, p = 0, q = 0, dp = 0, dq = 0, qi = 0] = numbers.map(({ length }) => length)
  // Each number may have a byte for its sign.
  const hasPrimesThatFit = p + q <= n + 2 && dp <= p && dq <= q && qi <= p
  // A tenth element has further primes.
  return numbers.length === 9 && e <= maxExponentBytes + 1 && d <= n && hasPrimesThatFit
}

const firstElementOf = (der: Buffer): Buffer => elementsOf(der).next().value ?? Buffer.alloc(0)

/** The contents of the elements of a DER sequence, as OpenSSL writes it. */
function* elementsOf(der: Buffer): Generator<Buffer, undefined> {
  for (let start = 0; start < der.length; ) {
    const { contentAt, length } = headAt(der, start)
    yield der.subarray(contentAt, contentAt + length)
    start = contentAt + length
  }
}

/** The start of the content of a DER element, and its length, which has one byte, or as many as that byte says. */
function headAt(der: Buffer, start: number): { contentAt: number; length: number } {
  const short = der.readUInt8(start + 1)
  if (short < 0x80) return { contentAt: start + 2, length: short }
  const bytes = short - 0x80
  return { contentAt: start + 2 + bytes, length: der.readUIntBE(start + 2, bytes) }
}
