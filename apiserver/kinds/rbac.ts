import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue, required, unsupported } from '../validation/field-error.js'
import { checkPathSegmentName, checkSubdomainName } from '../validation/names.js'

const group = 'rbac.authorization.k8s.io'
const subjectKinds = ['ServiceAccount', 'User', 'Group']

/** The common rules of Roles and Bindings: their names, and that a PUT may create them. */
const commonRules: KindRules = {
  metadata: {
    name: checkPathSegmentName,
  },
  update: {
    allowsCreate: true,
    validatesChangesLast: true,
  },
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = fieldAt(value, field)
  return Array.isArray(list) ? list : []
}

/** Go writes a missing list as null. */
function prepareRole(object: OpenObject): void {
  object.rules ??= null
}

function checkRules(object: OpenObject, isNamespaced: boolean): FieldError[] {
  return listAt(object, 'rules').flatMap((rule, index) => checkRule(rule, `rules[${index}]`, isNamespaced))
}

function checkRule(rule: unknown, path: string, isNamespaced: boolean): FieldError[] {
  const has = (field: string) => listAt(rule, field).length > 0
  const errors = has('verbs') ? [] : [required(`${path}.verbs`, 'verbs must contain at least one value')]
  if (has('nonResourceURLs')) {
    const refuse = (why: string) =>
      invalidValue(`${path}.nonResourceURLs`, fieldAt(rule, 'nonResourceURLs'), why)
    if (isNamespaced) errors.push(refuse('namespaced rules cannot apply to non-resource URLs'))
    if (!['apiGroups', 'resources', 'resourceNames'].some(has)) return errors
    return [...errors, refuse('rules cannot apply to both regular resources and non-resource URLs')]
  }
  const missingError = (field: string, member: string) =>
    required(`${path}.${field}`, `resource rules must supply at least one ${member}`)
  if (!has('apiGroups')) errors.push(missingError('apiGroups', 'api group'))
  return has('resources') ? errors : [...errors, missingError('resources', 'resource')]
}

function checkAggregation(object: OpenObject): FieldError[] {
  const rule = fieldAt(object, 'aggregationRule')
  if (rule === undefined || rule === null || listAt(rule, 'clusterRoleSelectors').length > 0) return []
  const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
  return [required('aggregationRule.clusterRoleSelectors', why)]
}

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/role-v1/ */
export const roleRules: KindRules = {
  ...commonRules,
  setDefaults: prepareRole,
  validate: (object) => checkRules(object, true),
}

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/cluster-role-v1/ */
export const clusterRoleRules: KindRules = {
  ...commonRules,
  setDefaults: prepareRole,
  validate: (object) => [...checkRules(object, false), ...checkAggregation(object)],
}

function prepareBinding(object: OpenObject): void {
  const { apiGroup, ...roleRef } = recordOf(object.roleRef)
  object.roleRef = { apiGroup: apiGroup === undefined || apiGroup === '' ? group : apiGroup, ...roleRef }
  const subjects = listAt(object, 'subjects')
  if (subjects.length === 0) delete object.subjects
  else object.subjects = subjects.map(completeSubject)
}

function completeSubject(subject: unknown): unknown {
  const { kind, apiGroup = '', ...rest } = recordOf(subject)
  if (apiGroup !== '') return subject
  return kind === 'User' || kind === 'Group' ? { kind, apiGroup: group, ...rest } : { kind, ...rest }
}

function checkReference(object: OpenObject, kinds: readonly string[]): FieldError[] {
  const reference = (field: string) => textAt(object, 'roleRef', field)
  const errors: FieldError[] = []
  const refuse = (field: string, allowed: readonly string[]) =>
    errors.push(unsupported(`roleRef.${field}`, JSON.stringify(reference(field)), allowed))
  if (reference('apiGroup') !== group) refuse('apiGroup', [group])
  if (!kinds.includes(reference('kind'))) refuse('kind', kinds)
  const name = reference('name')
  if (name === '') return [...errors, required('roleRef.name', '')]
  const problem = checkPathSegmentName(name)
  return problem === undefined ? errors : [...errors, invalidValue('roleRef.name', name, problem)]
}

function checkSubject(subject: unknown, path: string, isNamespaced: boolean): FieldError[] {
  const [kind, name, apiGroup] = [
    textAt(subject, 'kind'),
    textAt(subject, 'name'),
    textAt(subject, 'apiGroup'),
  ]
  const errors = name === '' ? [required(`${path}.name`, '')] : []
  const expected = kind === 'ServiceAccount' ? '' : group
  if (!subjectKinds.includes(kind)) {
    return [...errors, unsupported(`${path}.kind`, JSON.stringify(kind), subjectKinds)]
  }
  const problem = kind === 'ServiceAccount' && name !== '' ? checkSubdomainName(name) : undefined
  if (problem !== undefined) errors.push(invalidValue(`${path}.name`, name, problem))
  if (apiGroup !== expected)
    errors.push(unsupported(`${path}.apiGroup`, JSON.stringify(apiGroup), [expected]))
  const isHomeless = kind === 'ServiceAccount' && !isNamespaced && textAt(subject, 'namespace') === ''
  return isHomeless ? [...errors, required(`${path}.namespace`, '')] : errors
}

function checkRoleUnchanged(object: OpenObject, old: OpenObject): FieldError[] {
  if (jsonEqual(object.roleRef, old.roleRef)) return []
  const reference = (field: string) => textAt(object, 'roleRef', field)
  // The value is printed in Go's format instead of JSON.
  const shownValue = { APIGroup: reference('apiGroup'), Kind: reference('kind'), Name: reference('name') }
  return [invalidValue('roleRef', shownValue, 'cannot change roleRef')]
}

function bindingRules(kinds: readonly string[], isNamespaced: boolean): KindRules {
  return {
    ...commonRules,
    setDefaults: prepareBinding,
    validate: (object) => [
      ...checkReference(object, kinds),
      ...listAt(object, 'subjects').flatMap((each, index) =>
        checkSubject(each, `subjects[${index}]`, isNamespaced),
      ),
    ],
    update: {
      ...commonRules.update,
      validate: checkRoleUnchanged,
    },
  }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/role-binding-v1/ */
export const roleBindingRules = bindingRules(['Role', 'ClusterRole'], true)

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/cluster-role-binding-v1/ */
export const clusterRoleBindingRules = bindingRules(['ClusterRole'], false)
