import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import type { WritableStore } from '../../store/readable.js'
import type { PolicyRule } from './policy-rule.js'
import { describeSubject, matchesSubject, type Subject } from './subject.js'

/** The group of Roles and Bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io'

/** A reference to a role; a `rbac.authorization.k8s.io/v1 RoleRef`. */
export interface RoleReference {
  readonly kind: string
  readonly name: string
}

/** The rules that one binding grants to a user. */
export interface Grant {
  /** `undefined` if the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined
  readonly role: RoleReference
  /** For the reason of a decision, for example `RoleBinding "b/ns" of Role "r" to User "u"`. */
  describe(): string
}

/** The grants of a user: by ClusterRoleBindings, then by RoleBindings in the namespace, if one is given. */
export function* grantsOf(store: WritableStore, user: UserInfo, namespace: string): Generator<Grant> {
  yield* grantsIn(store, { storage: `clusterrolebindings.${rbacGroup}`, user, namespace: '' })
  if (namespace !== '') yield* grantsIn(store, { storage: `rolebindings.${rbacGroup}`, user, namespace })
}

interface GrantSearch {
  readonly storage: string
  readonly user: UserInfo
  readonly namespace: string
}

function* grantsIn(store: WritableStore, { storage, user, namespace }: GrantSearch): Generator<Grant> {
  const prefix = namespace === '' ? '' : `${namespace}/`
  for (const { object } of store.collection(storage).scan(prefix)) {
    const subject = subjectsOf(object).find((each) => matchesSubject(each, user, namespace))
    if (subject === undefined) continue
    const role = roleOf(object)
    const describe = () => {
      const { name = '' } = object.metadata
      const binding = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`
      return `${binding} of ${role.kind} "${role.name}" to ${describeSubject(subject, namespace)}`
    }
    yield { rules: rulesOfRole(store, role, namespace), role, describe }
  }
}

function subjectsOf(object: KubeObject): readonly Subject[] {
  const { subjects } = object as OpenObject
  return Array.isArray(subjects) ? (subjects as Subject[]) : []
}

/** The role a binding refers to. */
export function roleOf(binding: KubeObject): RoleReference {
  return { kind: textAt(binding, 'roleRef', 'kind'), name: textAt(binding, 'roleRef', 'name') }
}

/** The rules of the role that a binding in `namespace` refers to; `undefined` if the role does not exist. */
export function rulesOfRole(
  store: WritableStore,
  { kind, name }: RoleReference,
  namespace: string,
): readonly PolicyRule[] | undefined {
  const roleEntry =
    kind === 'Role'
      ? store.collection(`roles.${rbacGroup}`).get(`${namespace}/${name}`)
      : store.collection(`clusterroles.${rbacGroup}`).get(name)
  return roleEntry && rulesIn(roleEntry.object)
}

/** The rules of a Role or ClusterRole. */
export function rulesIn(role: KubeObject): readonly PolicyRule[] {
  const { rules } = role as OpenObject
  return Array.isArray(rules) ? rules.map(recordOf) : []
}
