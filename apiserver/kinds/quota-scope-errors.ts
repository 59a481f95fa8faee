/** The scopes of a ResourceQuota; `validateResourceQuotaScopes` of Kubernetes v1.36.3. */
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { isQuotaResource } from './resource-names.js'

interface Requirement {
  readonly scopeName?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

/** The fields of a quota that restrict the objects which it counts. */
export interface QuotaScopes {
  readonly scopes?: readonly string[]
  readonly scopeSelector?: { readonly matchExpressions?: readonly Requirement[] }
}

const computeResources = ['', 'requests.', 'limits.'].flatMap((prefix) => [`${prefix}cpu`, `${prefix}memory`])
const pods = ['pods', ...computeResources]
/** The standard resources that each scope can limit. */
const resourcesByScope: Readonly<Record<string, readonly string[]>> = {
  Terminating: pods,
  NotTerminating: pods,
  BestEffort: ['pods'],
  NotBestEffort: pods,
  PriorityClass: pods,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
  CrossNamespacePodAffinity: pods,
}
/** Scopes without values: an object is in such a scope or not. */
const withoutValues = Object.keys(resourcesByScope).filter((scope) => !scope.endsWith('Class'))
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

/** A member of every object, such as `constructor`, is not a scope. */
const isScope = (name = '') => Object.hasOwn(resourcesByScope, name)

/** The errors of the scopes of a quota on these resources. */
export function scopeErrors(
  { scopes, scopeSelector }: QuotaScopes,
  resources: readonly string[],
): FieldError[] {
  const path = 'spec.scopes'
  const scopeList = scopes ?? []
  const requirements = scopeSelector?.matchExpressions ?? []
  const selector = { MatchExpressions: scopeSelector?.matchExpressions?.map(requirementInGo) ?? null }
  const selectorPath = 'spec.scopeSelector.matchExpressions'
  return [
    ...scopeList.flatMap((scope) => [
      ...(isScope(scope) ? [] : [invalidValue(path, scopeList, 'unsupported scope')]),
      ...resourceErrors(scope, resources).map((why) => invalidValue(path, scopeList, why)),
    ]),
    ...conflictErrors(path, scopeList, scopeList),
    ...requirements.flatMap((each) => [
      ...(isScope(each.scopeName)
        ? []
        : [invalidValue(`${selectorPath}.scopeName`, each.scopeName ?? '', 'unsupported scope')]),
      ...resourceErrors(each.scopeName, resources).map((why) => invalidValue(selectorPath, selector, why)),
      ...operatorErrors(each, selectorPath),
    ]),
    ...conflictErrors(
      selectorPath,
      requirements.map(({ scopeName = '' }) => scopeName),
      scopes ?? null,
    ),
  ]
}

/** An error for each standard resource that the scope cannot limit. */
function resourceErrors(scope = '', resources: readonly string[]): string[] {
  const allowed = isScope(scope) ? resourcesByScope[scope] : undefined
  if (allowed === undefined) return []
  return resources
    .filter((name) => isQuotaResource(name) && !allowed.includes(name))
    .map(() => 'unsupported scope applied to resource')
}

const exists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function operatorErrors({ scopeName = '', operator = '', values }: Requirement, path: string): FieldError[] {
  const isPlain = withoutValues.includes(scopeName) && operator !== 'Exists'
  const field = `${path}.operator`
  return [
    ...(isPlain ? [invalidValue(field, operator, exists)] : []),
    ...valuesErrors(operator, values ?? [], path),
  ]
}

function valuesErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  const field = `${path}.values`
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
      return values.length === 0 ? [required(field, why)] : []
    }
    case 'Exists':
    case 'DoesNotExist': {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
      return values.length === 0 ? [] : [invalidValue(field, values, why)]
    }
    default:
      return [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}

function conflictErrors(path: string, scopes: readonly string[], shownScopes: unknown): FieldError[] {
  return opposites
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalidValue(path, shownScopes, 'conflicting scopes'))
}

/** A requirement as Go prints it without JSON names. */
function requirementInGo({ scopeName = '', operator = '', values }: Requirement): object {
  return { ScopeName: scopeName, Operator: operator, Values: values ?? null }
}
