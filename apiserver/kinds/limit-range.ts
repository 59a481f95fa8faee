import { recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../validation/field-error.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkQualified } from '../validation/values.js'
import { type Amounts, amountErrors } from './limit-amounts.js'
import { containerResourceErrors, resourceNameErrors } from './resource-names.js'

interface Limit extends Amounts {
  readonly type?: string
}

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim']

/** https://kubernetes.io/docs/concepts/policy/limit-range/ */
export const limitRangeRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'new',
  },
  validate({ spec }) {
    const { limits } = recordOf(spec)
    return limitErrors(Array.isArray(limits) ? limits.map(recordOf) : [])
  },
  update: {
    allowsCreate: true,
  },
}

/** `ValidateLimitRange` of Kubernetes v1.36.3. */
function limitErrors(limits: readonly Limit[]): FieldError[] {
  const repeated = repeatedIndexes(limits.map(({ type = '' }) => type))
  return limits.flatMap((limit, index) => {
    const path = `spec.limits[${index}]`
    const { type = '' } = limit
    return [
      ...typeErrors(`${path}.type`, type),
      ...(repeated.has(index) ? [duplicate(`${path}.type`, type)] : []),
      ...nameErrors(limit, path),
      ...amountErrors(type === 'Pod' ? withoutDefaults(limit) : limit, path),
    ]
  })
}

function typeErrors(field: string, type: string): FieldError[] {
  const errors = checkQualified(field, type)
  if (errors.length > 0 || type.includes('/') || limitTypes.includes(type)) return errors
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')]
}

function withoutDefaults({ default: _default, defaultRequest: _request, ...limit }: Limit): Limit {
  return limit
}

/** The errors of the names of resources, and of members that a type must have or not. */
function nameErrors(limit: Limit, path: string): FieldError[] {
  const { type } = limit
  const check = type === 'Pod' || type === 'Container' ? containerResourceErrors : resourceNameErrors
  const resourceErrors = (member: keyof Amounts) =>
    Object.keys(limit[member] ?? {}).flatMap((name) => check(name, `${path}.${member}[${name}]`))
  const ofContainers = (member: 'default' | 'defaultRequest') => {
    if (type !== 'Pod') return resourceErrors(member)
    const isThere = Object.keys(limit[member] ?? {}).length > 0
    return isThere ? [forbiddenValue(`${path}.${member}`, "may not be specified when `type` is 'Pod'")] : []
  }
  return [
    ...resourceErrors('max'),
    ...resourceErrors('min'),
    ...ofContainers('default'),
    ...ofContainers('defaultRequest'),
    ...claimErrors(limit, path),
    ...resourceErrors('maxLimitRequestRatio'),
  ]
}

function claimErrors({ type, min, max }: Limit, path: string): FieldError[] {
  const isBound = min?.storage !== undefined || max?.storage !== undefined
  if (type !== 'PersistentVolumeClaim' || isBound) return []
  const why = 'either minimum or maximum storage value is required, but neither was provided'
  return [required(`${path}.limits`, why)]
}
