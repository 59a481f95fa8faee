import type { UserInfo } from '../../request/request.js'
import { serviceAccountUser } from '../service-account-user.js'

/** A subject of a binding; a `rbac.authorization.k8s.io/v1 Subject`. */
export interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** Whether a subject of a binding in `namespace` is this user. */
export function matchesSubject(
  { kind, name, namespace: ownNamespace }: Subject,
  user: UserInfo,
  namespace: string,
): boolean {
  if (kind === 'User') return user.name === name
  if (kind === 'Group') return user.groups.includes(name)
  const home = ownNamespace === undefined || ownNamespace === '' ? namespace : ownNamespace
  return kind === 'ServiceAccount' && home !== '' && user.name === serviceAccountUser(home, name)
}

/** The subject as reasons write it. */
export function describeSubject({ kind, name, namespace: ownNamespace }: Subject, namespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} "${name}"`
  return `${kind} "${name}/${ownNamespace === undefined || ownNamespace === '' ? namespace : ownNamespace}"`
}
