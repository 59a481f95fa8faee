/** The warning for a certificate and a key that a server cannot use; `X509KeyPair` of Go's crypto/tls. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type OpenObject, textAt } from '../base/object.js'
import { type PemBlock, pemBlocks } from './certificates/pem.js'

/** The warnings for a Secret of the type `kubernetes.io/tls`. */
export function tlsWarnings({ type, data }: OpenObject): string[] {
  if (type !== 'kubernetes.io/tls') return []
  const blocks = (name: string) => pemBlocks(Buffer.from(textAt(data, name), 'base64').toString('latin1'))
  const problem = pairProblem(blocks('tls.crt'), blocks('tls.key'))
  return problem === undefined ? [] : [problem]
}

const isKey = ({ label }: PemBlock) => label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY')
const labelsOf = (blocks: readonly PemBlock[]) => `[${blocks.map(({ label }) => label).join(' ')}]`

function pairProblem(certificates: readonly PemBlock[], keys: readonly PemBlock[]): string | undefined {
  const certificate = certificates.find(({ label }) => label === 'CERTIFICATE')
  if (certificate === undefined) return `tls: failed to find ${missingCertificate(certificates)}`
  const key = keys.find(isKey)
  return key === undefined ? `tls: ${missingKey(keys)}` : matchProblem(certificate, key)
}

function missingCertificate(blocks: readonly PemBlock[]): string {
  const [first] = blocks
  if (first === undefined) return 'any PEM data in certificate input'
  if (blocks.length === 1 && first.label.endsWith('PRIVATE KEY'))
    return 'certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  return `"CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${labelsOf(blocks)}`
}

function missingKey(blocks: readonly PemBlock[]): string {
  const [first] = blocks
  if (first === undefined) return 'failed to find any PEM data in key input'
  if (blocks.length === 1 && first.label === 'CERTIFICATE')
    return 'found a certificate rather than a key in the PEM for the private key'
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${labelsOf(blocks)}`
}

function matchProblem(certificate: PemBlock, key: PemBlock): string | undefined {
  const parsed = attempt(() => new X509Certificate(certificate.bytes))
  if (parsed === undefined) return 'x509: malformed certificate'
  const secret = privateKeyOf(key.bytes)
  if (secret === undefined) return 'tls: failed to parse private key'
  const publicKey = attempt(() => parsed.publicKey)
  if (publicKey === undefined) return 'tls: unknown public key algorithm'
  if (publicKey.asymmetricKeyType !== secret.asymmetricKeyType)
    return 'tls: private key type does not match public key type'
  return attempt(() => parsed.checkPrivateKey(secret))
    ? undefined
    : 'tls: private key does not match public key'
}

/** Go tries all formats, whatever the label of the block says. */
function privateKeyOf(key: Buffer): KeyObject | undefined {
  const types = ['pkcs1', 'pkcs8', 'sec1'] as const
  const keyCandidates = types.map((type) => attempt(() => createPrivateKey({ key, format: 'der', type })))
  return keyCandidates.find((each) => each !== undefined)
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    // The caller reports a text that cannot be parsed.
    return undefined
  }
}
