import type { Client } from '../../engine/client/client.js'
import type { Caller } from '../../engine/kube/caller.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { AccessAnswer } from './interceptor.js'
import type { RequestAttributes } from './request-attributes.js'

interface SubjectAccessReview extends KubeObject {
  spec: object
  status?: { allowed?: boolean; reason?: string }
}

interface TokenReview extends KubeObject {
  spec: object
  status?: { authenticated?: boolean; user?: User }
}

interface User {
  username?: string
  uid?: string
  groups?: string[]
  extra?: Record<string, string[]>
}

const subjectAccessReviews: Resource<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
}

const tokenReviews: Resource<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
}

/**
 * Asks a cluster's authorizer whether a user may make a request, for an interceptor that calls `ctx.authorize`. See
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function authorize(
  client: Client,
  { user, ...caller }: Caller,
  attributes: RequestAttributes,
): Promise<AccessAnswer> {
  const { verb } = attributes
  const requested =
    'path' in attributes
      ? { nonResourceAttributes: { path: attributes.path, verb } }
      : { resourceAttributes: attributes }
  const review = { metadata: {}, spec: { user, ...caller, ...requested } }
  const { status = {} } = await client.create(subjectAccessReviews, review)
  return { allowed: status.allowed === true, reason: status.reason ?? '' }
}

/**
 * Finds the user of a bearer token in a cluster, for an interceptor that calls `ctx.identify`; `undefined` for an
 * unknown or empty token. The API server would reject a review of an empty token.
 */
export async function identify(client: Client, token: string): Promise<Caller | undefined> {
  if (token === '') return undefined
  const { status = {} } = await client.create(tokenReviews, { metadata: {}, spec: { token } })
  const { username, uid, groups, extra } = status.user ?? {}
  if (status.authenticated !== true || !username) return undefined
  return { user: username, ...(uid && { uid }), ...(groups && { groups }), ...(extra && { extra }) }
}
