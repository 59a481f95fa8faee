import type { ApiError } from '../../sdk/engine/kube/error.js'
import type { UserInfo } from '../request/request.js'
import { badRequest } from '../request/status.js'
import { checkSubdomainName } from '../validation/names.js'
import { type Attributes, isPath, type ResourceAttributes } from './attributes.js'
import { type Authorizer, masters } from './authorizer.js'
import { notAuthorizedError } from './forbidden.js'
import { serviceAccountGroups, serviceAccountOf } from './service-account-user.js'

type Headers = Readonly<Record<string, string | undefined>>

const extraPrefix = 'impersonate-extra-'
const nodePrefix = 'system:node:'
const authentication = 'authentication.k8s.io'

/** The user that the headers name. */
interface ImpersonatedUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** Separates the values of a header that was sent several times. */
export const headerSeparator = '\n'

/**
 * The user that a request is served as: the one that the `Impersonate-*` headers name, if the sender is allowed that,
 * or the sender. Throws 400 for headers without a user, and 403. Tries the constrained impersonation of
 * https://kep.k8s.io/5284 first, then the verb `impersonate`; see
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
 */
export function effectiveUser(authorizer: Authorizer, attributes: Attributes, headers: Headers): UserInfo {
  const desired = impersonatedUser(headers)
  if (desired === undefined) return attributes.user
  let refusal: ApiError | undefined
  for (const mode of modesFor(desired, attributes.user)) {
    const problem = checkMode(authorizer, attributes, { desired, mode })
    if (problem === undefined) return userInfoFor(desired, mode)
    refusal ??= problem
  }
  throw refusal ?? badRequest(`"${desired.name}" cannot be impersonated`)
}

function impersonatedUser(headers: Headers): ImpersonatedUser | undefined {
  const names = Object.keys(headers).filter(
    (name) => name.startsWith('impersonate-') && headers[name] !== undefined,
  )
  if (names.length === 0) return undefined
  const desired: ImpersonatedUser = {
    name: valuesOf(headers, 'impersonate-user')[0] ?? '',
    uid: valuesOf(headers, 'impersonate-uid')[0] ?? '',
    groups: valuesOf(headers, 'impersonate-group'),
    extra: Object.fromEntries(
      names
        .filter((name) => name.startsWith(extraPrefix))
        .map((name) => [extraKey(name), valuesOf(headers, name)]),
    ),
  }
  if (desired.name !== '') return desired
  throw badRequest(`requested ${goUser(desired)} without impersonating a user name`)
}

function valuesOf(headers: Headers, name: string): string[] {
  return headers[name]?.split(headerSeparator) ?? []
}

function extraKey(header: string): string {
  const key = header.slice(extraPrefix.length)
  try {
    return decodeURIComponent(key)
  } catch (error) {
    // A real server keeps a key that cannot be decoded.
    if (error instanceof URIError) return key
    throw error
  }
}

/** The user as Go prints a struct with `%#v`. */
function goUser({ name, uid, groups, extra }: ImpersonatedUser): string {
  const slice = (texts: readonly string[]) =>
    `[]string{${texts.map((text) => JSON.stringify(text)).join(', ')}}`
  const shownGroups = groups.length === 0 ? '[]string(nil)' : slice(groups)
  const entries = Object.entries(extra).map(([key, values]) => `${JSON.stringify(key)}:${slice(values)}`)
  const shownExtra =
    entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`
  const fields = `Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}, Groups:${shownGroups}, Extra:${shownExtra}`
  return `&user.DefaultInfo{${fields}}`
}

/** A mode of impersonation; `legacy` is the verb `impersonate`. */
type Mode = 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy'

function modesFor({ name, uid, groups, extra }: ImpersonatedUser, requestor: UserInfo): Mode[] {
  const isBare = uid === '' && groups.length === 0 && Object.keys(extra).length === 0
  const node = nodeOf(name)
  if (node !== undefined) {
    if (!isBare) return ['legacy']
    const nodeNames = requestor.extra?.['authentication.kubernetes.io/node-name'] ?? []
    const isAssociated =
      nodeNames.length === 1 && nodeNames[0] === node && serviceAccountOf(requestor.name) !== undefined
    return isAssociated ? ['associated-node', 'arbitrary-node', 'legacy'] : ['arbitrary-node', 'legacy']
  }
  if (serviceAccountOf(name) === undefined) return ['user-info', 'legacy']
  return isBare ? ['serviceaccount', 'legacy'] : ['legacy']
}

function nodeOf(user: string): string | undefined {
  const name = user.startsWith(nodePrefix) ? user.slice(nodePrefix.length) : ''
  return name !== '' && checkSubdomainName(name) === undefined ? name : undefined
}

interface ImpersonationAttempt {
  readonly desired: ImpersonatedUser
  readonly mode: Mode
}

/** The first refusal of a mode, if there is one. */
function checkMode(
  authorizer: Authorizer,
  attributes: Attributes,
  { desired, mode }: ImpersonationAttempt,
): ApiError | undefined {
  const isLegacy = mode === 'legacy'
  const verb = isLegacy ? 'impersonate' : `impersonate:${mode}`
  const on = isLegacy ? [] : [{ ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` }]
  const requested = identityChecks(desired, mode).map((check) => ({ ...check, user: attributes.user, verb }))
  for (const question of [...on, ...requested]) {
    const problem = isPath(question) ? undefined : neverAllowedReason(question, isLegacy)
    if (problem !== undefined) return notAuthorizedError(question, problem)
    const { allowed, reason } = authorizer.authorize(question)
    if (!allowed) return notAuthorizedError(question, reason)
  }
  return undefined
}

function neverAllowedReason(
  { resource, name, verb }: ResourceAttributes,
  isLegacy: boolean,
): string | undefined {
  if (isLegacy || resource !== 'groups' || !verb.startsWith('impersonate:')) return undefined
  if (name === '') return 'impersonating the empty string group is not allowed'
  return name === masters ? 'impersonating the system:masters group is not allowed' : undefined
}

type Part = Omit<ResourceAttributes, 'user' | 'verb'>

function identityChecks({ name, uid, groups, extra }: ImpersonatedUser, mode: Mode): Part[] {
  const group = mode === 'legacy' ? '' : authentication
  const makeCheck = (resource: string, named: string, more: Partial<Part> = {}): Part => {
    return { group, resource, subresource: '', namespace: '', name: named, ...more }
  }
  const extras = Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((value) => makeCheck('userextras', value, { group: authentication, subresource })),
  )
  return [
    userCheck(name, mode, makeCheck),
    ...(uid === '' ? [] : [makeCheck('uids', uid, { group: authentication })]),
    ...groups.map((each) => makeCheck('groups', each)),
    ...extras,
  ]
}

type MakePart = (resource: string, name: string, more?: Partial<Part>) => Part

function userCheck(name: string, mode: Mode, makeCheck: MakePart): Part {
  const account = serviceAccountOf(name)
  if (account !== undefined)
    return makeCheck('serviceaccounts', account.name, { namespace: account.namespace })
  const node = mode === 'legacy' ? undefined : nodeOf(name)
  if (node === undefined) return makeCheck('users', name)
  return makeCheck('nodes', mode === 'associated-node' ? '*' : node)
}

function userInfoFor({ name, uid, groups, extra }: ImpersonatedUser, mode: Mode): UserInfo {
  return {
    name,
    groups: withAuthenticatedGroup(name, groups.length > 0 ? groups : fixedGroups(name, mode)),
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function fixedGroups(name: string, mode: Mode): string[] {
  const account = serviceAccountOf(name)
  if (account !== undefined) return serviceAccountGroups(account.namespace)
  return mode !== 'legacy' && nodeOf(name) !== undefined ? ['system:nodes'] : []
}

function withAuthenticatedGroup(name: string, groups: readonly string[]): readonly string[] {
  const unknown = 'system:unauthenticated'
  if (groups.includes(unknown)) return groups
  const standing = name === 'system:anonymous' ? unknown : 'system:authenticated'
  return groups.includes(standing) ? groups : [...groups, standing]
}
