import { type FieldError, invalidValue, required, unsupported } from '../validation/field-error.js'

type Members = Readonly<Record<string, unknown>>

const knownOperations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes = ['*', 'Cluster', 'Namespaced']

/** The errors of a rule of a webhook; `validateRuleWithOperations` of Kubernetes v1.36.3. */
export function webhookRuleErrors(path: string, rule: Members): FieldError[] {
  const operations = textsOf(rule.operations)
  const versions = textsOf(rule.apiVersions)
  const { scope } = rule
  return [
    ...wildcardErrors(`${path}.operations`, operations, 'operations'),
    ...operations.flatMap((operation, index) =>
      knownOperations.includes(operation)
        ? []
        : [unsupported(`${path}.operations[${index}]`, JSON.stringify(operation), knownOperations)],
    ),
    ...wildcardErrors(`${path}.apiGroups`, textsOf(rule.apiGroups), 'API groups'),
    ...wildcardErrors(`${path}.apiVersions`, versions, 'API versions'),
    ...versions.flatMap((version, index) =>
      version === '' ? [required(`${path}.apiVersions[${index}]`, '')] : [],
    ),
    ...resourceErrors(`${path}.resources`, textsOf(rule.resources)),
    ...(scope === undefined || scope === null || scopes.includes(String(scope))
      ? []
      : [unsupported(`${path}.scope`, JSON.stringify(scope), scopes)]),
  ]
}

const textsOf = (list: unknown) => (Array.isArray(list) ? list.map(String) : [])

/** A list must not be empty, and `*` must be alone. */
function wildcardErrors(path: string, list: readonly string[], memberNames: string): FieldError[] {
  if (list.length === 0) return [required(path, '')]
  if (list.length === 1 || !list.includes('*')) return []
  return [invalidValue(path, list, `if '*' is present, must not specify other ${memberNames}`)]
}

function resourceErrors(path: string, list: readonly string[]): FieldError[] {
  if (list.length === 0) return [required(path, '')]
  const before: [resource: string, subresource: string][] = []
  const errors = list.flatMap((pattern, index) => {
    if (pattern === '') return [required(`${path}[${index}]`, '')]
    const patternErrors = coveredErrors(`${path}[${index}]`, pattern, before)
    const [resource = '', subresource] = pattern.split('/')
    if (subresource !== undefined) before.push([resource, subresource])
    return patternErrors
  })
  if (list.length > 1 && list.includes('*/*')) {
    errors.push(invalidValue(path, list, "if '*/*' is present, must not specify other resources"))
  }
  if (list.includes('*') && list.some((pattern) => pattern !== '*' && !pattern.includes('/'))) {
    const why = "if '*' is present, must not specify other resources without subresources"
    errors.push(invalidValue(path, list, why))
  }
  return errors
}

/** The errors of a pattern that an earlier pattern with a wildcard covers. */
function coveredErrors(
  path: string,
  pattern: string,
  before: readonly (readonly [resource: string, subresource: string])[],
): FieldError[] {
  const [resource = '', subresource] = pattern.split('/')
  if (subresource === undefined) return []
  const refuse = (by: string) =>
    invalidValue(path, pattern, `if '${by}' is present, must not specify ${pattern}`)
  return [
    ...(before.some(([first, second]) => first === resource && second === '*')
      ? [refuse(`${resource}/*`)]
      : []),
    ...(before.some(([first, second]) => first === '*' && second === subresource)
      ? [refuse(`*/${subresource}`)]
      : []),
  ]
}
