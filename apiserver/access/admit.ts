/**
 * Who a caller is and what it may do: what every request passes before anything is done for it.
 *
 * It promises the order and the texts of a kube-apiserver: first authentication (401), then impersonation, then
 * authorization (403), and only then whether what is asked for exists. Certificates are the business of the
 * doors; what is stored is looked up in the store at every request, so that a Role counts from the moment it is
 * written.
 */
import { ApiError } from '../../sdk/kube/error.js'
import { OPEN_PATHS } from '../discovery/non-resource.js'
import type { ApiRequest, UserInfo } from '../request.js'
import type { RequestInfo } from '../request-info.js'
import { unauthorized } from '../status.js'
import { type Attributes, attributesOf } from './attributes.js'
import type { Authorizer } from './authorizer.js'
import { notAuthorized } from './forbidden.js'
import { impersonated } from './impersonation.js'
import type { TokenAuthenticator } from './tokens/token-authenticator.js'

const ANONYMOUS: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** What {@link identify} and {@link checkAllowed} decide with. */
export interface AccessServices {
  readonly tokens: TokenAuthenticator
  readonly authorizer: Authorizer
}

/**
 * What a request asks for, and as whom; `undefined` where nobody is known and the path is open to all. The
 * request's own `user` is whom its door knows already. Throws 401, and 403 for who may not act as somebody else.
 */
export function identify(
  request: ApiRequest,
  info: RequestInfo,
  services: AccessServices,
): Attributes | undefined {
  const { method, headers = {} } = request
  const caller = request.user ?? callerByHeader(request, services)
  if (caller === undefined) {
    if (OPEN_PATHS.has(info.path)) return undefined
    throw unauthorized()
  }
  const asked = attributesOf(method, info, caller)
  const user = impersonated(services.authorizer, asked, headers)
  return user === caller ? asked : { ...asked, user }
}

/** Throws 403 unless the user may do what is asked for. */
export function checkAllowed(attributes: Attributes, { authorizer }: AccessServices): void {
  const { allowed, reason } = authorizer.authorize(attributes)
  if (!allowed) throw notAuthorized(attributes, reason)
}

/** Who sends a request, without a look at what it may do; `undefined` also for a token that is nobody's. */
export function callerIfKnown(request: ApiRequest, services: AccessServices): UserInfo | undefined {
  try {
    return request.user ?? callerByHeader(request, services)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The owner of a bearer token, or whoever comes without any credentials; bad ones make nobody anonymous. */
function callerByHeader(
  { headers, untrustedCertificate }: ApiRequest,
  { tokens, authorizer }: AccessServices,
): UserInfo | undefined {
  const token = /^Bearer\s+(\S+)\s*$/i.exec(headers?.authorization ?? '')?.[1]
  if (token === undefined && untrustedCertificate) throw unauthorized()
  if (token === undefined) return authorizer.admitsAnonymous ? ANONYMOUS : undefined
  const owner = tokens.authenticate(token)
  if ('problem' in owner) throw unauthorized()
  return owner.user
}
