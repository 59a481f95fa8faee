import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { recordOf } from '../../base/object.js'

/** The claims of a token, with the names of RFC 7519 and of Kubernetes. */
export type Claims = Readonly<Record<string, unknown>>

/** The maximum number of verified tokens in the cache, which saves checking a signature again for every request. */
const maxVerifiedTokens = 1000

/** Signs and verifies JSON web tokens with a key of its own (ES256, RFC 7515 and 7518). */
export class JwtSigner {
  readonly #verified = new Map<string, Claims>()
  #keys: { privateKey: KeyObject; publicKey: KeyObject } | undefined

  sign(claims: Claims): string {
    const { privateKey } = this.#keyPair()
    const head = `${encodePart({ alg: 'ES256', kid: this.#keyId() })}.${encodePart(claims)}`
    const signature = sign('sha256', Buffer.from(head), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${head}.${signature.toString('base64url')}`
  }

  /** The claims of a token of this signer; `undefined` for any other token. */
  verifiedClaims(token: string): Claims | undefined {
    const existing = this.#verified.get(token)
    if (existing !== undefined) return existing
    const [header = '', payload = '', signature = '', ...excess] = token.split('.')
    if (excess.length > 0 || signature === '' || recordOf(decodePart(header)).kid !== this.#keyId())
      return undefined
    const key = { key: this.#keyPair().publicKey, dsaEncoding: 'ieee-p1363' } as const
    const isOurs = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      key,
      Buffer.from(signature, 'base64url'),
    )
    if (!isOurs) return undefined
    const claims = recordOf(decodePart(payload))
    if (this.#verified.size >= maxVerifiedTokens) this.#verified.clear()
    this.#verified.set(token, claims)
    return claims
  }

  /** The public key as a JSON web key set (RFC 7517). */
  keySet(): object {
    const { crv, kty, x, y } = this.#keyPair().publicKey.export({ format: 'jwk' })
    return { keys: [{ use: 'sig', kty, kid: this.#keyId(), crv, alg: 'ES256', x, y }] }
  }

  #keyId(): string {
    const der = createPublicKey(this.#keyPair().privateKey).export({ type: 'spki', format: 'der' })
    return createHash('sha256').update(der).digest('base64url')
  }

  /** Returns the key pair, generated at the first call: most servers issue no token. */
  #keyPair(): { privateKey: KeyObject; publicKey: KeyObject } {
    this.#keys ??= generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    return this.#keys
  }
}

function encodePart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodePart(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
  } catch (error) {
    // Anyone may send anything as a token.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
