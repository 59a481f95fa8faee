import type { KubeObject, ObjectMeta } from '../../../sdk/engine/kube/object.js'
import type { ServerClock } from '../../base/clock.js'
import type { Identity } from '../../base/identity.js'
import { fieldAt, textAt } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import type { Store } from '../../store/store.js'
import { serviceAccountGroups, serviceAccountUser } from '../service-account-user.js'
import { type Claims, JwtSigner } from './jwt.js'

/** The issuer of the tokens and their default audience. */
export const issuer = 'https://kubernetes.default.svc.cluster.local'

const legacyIssuer = 'kubernetes/serviceaccount'
const invalidated = 'service account token has been invalidated'
/** The tolerated difference between the clocks of the issuer and the verifier. */
const leewaySeconds = 60
const extra = 'authentication.kubernetes.io'

/** The content of a token to issue. */
export interface TokenContent {
  readonly account: ObjectMeta
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
  /** The objects that the token is bound to. The token is invalid once one of these objects is gone. */
  readonly bound: { readonly pod?: ObjectMeta; readonly secret?: ObjectMeta; readonly node?: ObjectMeta }
}

/** The user and the audiences of a token, or why it is invalid. */
export type TokenOwner =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly problem: string }

/** The parts of a server that {@link ServiceAccountTokens} uses. */
export interface TokenServices {
  readonly store: Store
  readonly clock: ServerClock
  readonly identity: Identity
}

/**
 * Issues and verifies the tokens of service accounts, as `pkg/serviceaccount` of Kubernetes v1.36 does: those of a
 * TokenRequest (https://kep.k8s.io/1205), and the ones in Secrets, which do not expire.
 */
export class ServiceAccountTokens {
  readonly #signer = new JwtSigner()
  readonly #services: TokenServices

  constructor(services: TokenServices) {
    this.#services = services
  }

  /** A token that expires. */
  issue({ account, audiences, expirationSeconds, bound }: TokenContent): string {
    const now = this.#seconds()
    const { namespace = '', name = '' } = account
    const references = Object.entries(bound).map(([kind, metadata]) => [kind, referenceTo(metadata)])
    return this.#signer.sign({
      aud: audiences,
      exp: now + expirationSeconds,
      iat: now,
      iss: issuer,
      jti: this.#services.identity.uid(),
      'kubernetes.io': { namespace, ...Object.fromEntries(references), serviceaccount: referenceTo(account) },
      nbf: now,
      sub: serviceAccountUser(namespace, name),
    })
  }

  /** The token of a Secret; it is valid as long as the Secret exists. */
  issueForSecret({ namespace = '', name = '', uid = '' }: ObjectMeta, secret: string): string {
    const prefix = 'kubernetes.io/serviceaccount'
    return this.#signer.sign({
      iss: legacyIssuer,
      [`${prefix}/namespace`]: namespace,
      [`${prefix}/secret.name`]: secret,
      [`${prefix}/service-account.name`]: name,
      [`${prefix}/service-account.uid`]: uid,
      sub: serviceAccountUser(namespace, name),
    })
  }

  /** The owner of a token; `undefined` for a token of another issuer. */
  ownerOf(token: string): TokenOwner | undefined {
    const claims = this.#signer.verifiedClaims(token)
    if (claims === undefined) return undefined
    return claims.iss === legacyIssuer ? this.#legacyOwner(claims, token) : this.#owner(claims)
  }

  /** The public half of the signing key, as served at `/openid/v1/jwks`. */
  keySet(): object {
    return this.#signer.keySet()
  }

  #owner(claims: Claims): TokenOwner {
    const kubernetesClaims = fieldAt(claims, 'kubernetes.io')
    const namespace = textAt(kubernetesClaims, 'namespace')
    const name = textAt(kubernetesClaims, 'serviceaccount', 'name')
    const problem =
      this.#timeProblem(claims) ??
      this.#accountProblem(kubernetesClaims, namespace) ??
      this.#boundProblem(kubernetesClaims, namespace)
    if (problem !== undefined) return { problem }
    const user = {
      name: serviceAccountUser(namespace, name),
      uid: textAt(kubernetesClaims, 'serviceaccount', 'uid'),
      groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
      extra: extraOf(claims, kubernetesClaims),
    }
    return { user, audiences: Array.isArray(claims.aud) ? claims.aud.map(String) : [] }
  }

  #timeProblem({ exp, nbf }: Claims): string | undefined {
    const now = this.#seconds()
    if (now > Number(exp) + leewaySeconds) return 'service account token has expired'
    return now + leewaySeconds < Number(nbf) ? 'service account token is not valid yet' : undefined
  }

  #accountProblem(kubernetesClaims: unknown, namespace: string): string | undefined {
    const name = textAt(kubernetesClaims, 'serviceaccount', 'name')
    const claimed = textAt(kubernetesClaims, 'serviceaccount', 'uid')
    const account = this.#find('serviceaccounts', `${namespace}/${name}`)?.metadata
    if (account?.uid === undefined) return `serviceaccounts "${name}" not found`
    if (account.uid !== claimed)
      return `service account UID (${account.uid}) does not match claim (${claimed})`
    return this.#isLongDeleted(account) ? `service account ${namespace}/${name} has been deleted` : undefined
  }

  #boundProblem(kubernetesClaims: unknown, namespace: string): string | undefined {
    const kinds = fieldAt(kubernetesClaims, 'pod') === undefined ? ['secret', 'node'] : ['pod', 'secret']
    for (const kind of kinds) {
      if (fieldAt(kubernetesClaims, kind) === undefined) continue
      const name = textAt(kubernetesClaims, kind, 'name')
      const claimed = textAt(kubernetesClaims, kind, 'uid')
      const bound = this.#find(`${kind}s`, kind === 'node' ? name : `${namespace}/${name}`)?.metadata
      if (bound?.uid === undefined) return invalidated
      if (bound.uid !== claimed) return uidMismatch(kind, bound.uid, claimed)
      if (this.#isLongDeleted(bound)) return invalidated
    }
    return undefined
  }

  /** Whether an object is being deleted, and its grace period ended more than the leeway ago. */
  #isLongDeleted({ deletionTimestamp }: ObjectMeta): boolean {
    if (deletionTimestamp === undefined) return false
    return Date.parse(deletionTimestamp) < this.#services.clock.date().getTime() - leewaySeconds * 1000
  }

  #legacyOwner(claims: Claims, token: string): TokenOwner {
    const claim = (name: string) => String(claims[`kubernetes.io/serviceaccount/${name}`] ?? '')
    const namespace = claim('namespace')
    const [account, uid] = [claim('service-account.name'), claim('service-account.uid')]
    const secret = this.#find('secrets', `${namespace}/${claim('secret.name')}`)
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined)
      return { problem: 'Token has been invalidated' }
    if (Buffer.from(textAt(secret, 'data', 'token'), 'base64').toString('utf8') !== token) {
      return { problem: "Token does not match server's copy" }
    }
    const { uid: accountUid, deletionTimestamp } =
      this.#find('serviceaccounts', `${namespace}/${account}`)?.metadata ?? {}
    if (deletionTimestamp !== undefined)
      return { problem: `ServiceAccount ${namespace}/${account} has been deleted` }
    if (accountUid === undefined) return { problem: `serviceaccounts "${account}" not found` }
    if (accountUid !== uid)
      return { problem: `ServiceAccount UID (${accountUid}) does not match claim (${uid})` }
    const groups = [...serviceAccountGroups(namespace), 'system:authenticated']
    return { user: { name: serviceAccountUser(namespace, account), uid, groups }, audiences: [issuer] }
  }

  #find(storage: string, key: string): KubeObject | undefined {
    return this.#services.store.collection(storage).get(key)?.object
  }

  #seconds(): number {
    return Math.floor(this.#services.clock.date().getTime() / 1000)
  }
}

function uidMismatch(kind: string, uid: string, claimed: string): string {
  return `${kind} UID (${uid}) does not match service account ${kind} ref claim (${claimed})`
}

function referenceTo({ name = '', uid }: ObjectMeta): object {
  return uid === undefined ? { name } : { name, uid }
}

function extraOf(claims: Claims, kubernetesClaims: unknown): Record<string, readonly string[]> {
  const references = [
    ['credential-id', claims.jti === undefined ? '' : `JTI=${claims.jti}`],
    ['node-name', textAt(kubernetesClaims, 'node', 'name')],
    ['node-uid', textAt(kubernetesClaims, 'node', 'uid')],
    ['pod-name', textAt(kubernetesClaims, 'pod', 'name')],
    ['pod-uid', textAt(kubernetesClaims, 'pod', 'uid')],
  ] as const
  const set = references.filter(([, value]) => value !== '')
  return Object.fromEntries(set.map(([key, value]) => [`${extra}/${key}`, [value]]))
}
