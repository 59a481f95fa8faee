/**
 * Authenticates the caller of a request and authorizes the request before it is served.
 *
 * Keeps the order and the texts of a kube-apiserver: authentication (401), then impersonation, then authorization
 * (403), and only then the lookup of the resource. The listeners check client certificates. Roles and Bindings are
 * read from the store at every request, so that a Role counts from the moment it is written.
 */
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { ApiRequest, UserInfo } from '../request/request.js'
import type { RequestInfo } from '../request/request-info.js'
import { unauthorized } from '../request/status.js'
import { type Attributes, attributesOf } from './attributes.js'
import type { Authorizer } from './authorizer.js'
import { notAuthorizedError } from './forbidden.js'
import { effectiveUser } from './impersonation.js'
import type { TokenAuthenticator } from './tokens/token-authenticator.js'

const anonymous: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Paths that are served without authentication, as on a real server. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version'])

/** Server parts that {@link identify} and {@link checkAllowed} use. */
export interface AccessServices {
  readonly tokens: TokenAuthenticator
  readonly authorizer: Authorizer
}

/**
 * Authenticates the caller and returns the attributes of the request with its user; `undefined` for a caller without
 * credentials on a path that is open to all. A `user` of the request was authenticated by its listener. Throws 401,
 * and 403 for an impersonation that is not allowed.
 */
export function identify(
  request: ApiRequest,
  info: RequestInfo,
  services: AccessServices,
): Attributes | undefined {
  const { method, headers = {} } = request
  const caller = request.user ?? callerByHeader(request, services)
  if (caller === undefined) {
    if (openPaths.has(info.path)) return undefined
    throw unauthorized()
  }
  const requested = attributesOf(method, info, caller)
  const user = effectiveUser(services.authorizer, requested, headers)
  return user === caller ? requested : { ...requested, user }
}

/** Throws 403 unless the user is allowed the request. */
export function checkAllowed(attributes: Attributes, { authorizer }: AccessServices): void {
  const { allowed, reason } = authorizer.authorize(attributes)
  if (!allowed) throw notAuthorizedError(attributes, reason)
}

/** The authenticated user of a request; `undefined` for a caller without credentials or with an unknown token. */
export function callerIfKnown(request: ApiRequest, services: AccessServices): UserInfo | undefined {
  try {
    return request.user ?? callerByHeader(request, services)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The user of a bearer token, or the anonymous user without any credentials. Throws 401 for bad credentials. */
function callerByHeader(
  { headers, untrustedCertificate }: ApiRequest,
  { tokens, authorizer }: AccessServices,
): UserInfo | undefined {
  const token = /^Bearer\s+(\S+)\s*$/i.exec(headers?.authorization ?? '')?.[1]
  if (token === undefined && untrustedCertificate) throw unauthorized()
  if (token === undefined) return authorizer.admitsAnonymous ? anonymous : undefined
  const owner = tokens.authenticate(token)
  if ('problem' in owner) throw unauthorized()
  return owner.user
}
