/** The amounts of a LimitRange, compared with each other; `ValidateLimitRange` of Kubernetes v1.36.3. */
import { parseQuantity } from '../schema/quantity.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { isOvercommitAllowed } from './resource-names.js'

type Quantities = Readonly<Record<string, string>>

/** The amounts of one limit, by resource. */
export interface Amounts {
  readonly max?: Quantities
  readonly min?: Quantities
  readonly default?: Quantities
  readonly defaultRequest?: Quantities
  readonly maxLimitRequestRatio?: Quantities
}

/** The errors of the amounts of every resource. */
export function amountErrors(limit: Amounts, path: string): FieldError[] {
  const { max = {}, min = {}, default: limits = {}, defaultRequest = {}, maxLimitRequestRatio = {} } = limit
  const names = [max, min, limits, defaultRequest, maxLimitRequestRatio].flatMap((each) => Object.keys(each))
  return [...new Set(names)].flatMap((name) => {
    const amounts = {
      max: amountNamed(max, name),
      min: amountNamed(min, name),
      limit: amountNamed(limits, name),
      request: amountNamed(defaultRequest, name),
    }
    return [
      ...orderErrors(name, amounts, path),
      ...ratioErrors(
        `${path}.maxLimitRequestRatio[${name}]`,
        amountNamed(maxLimitRequestRatio, name),
        amounts,
      ),
      ...overcommitErrors(name, amounts, path),
    ]
  })
}

/** The amount of a resource; undefined for an inherited member such as `constructor`. */
const amountNamed = (amounts: Quantities, name: string) =>
  Object.hasOwn(amounts, name) ? amounts[name] : undefined

interface ResourceAmounts {
  readonly max: string | undefined
  readonly min: string | undefined
  readonly limit: string | undefined
  readonly request: string | undefined
}

/** The errors of amounts in the wrong order. Some errors show the other amount, as those of a real server do. */
function orderErrors(
  name: string,
  { max, min, limit, request }: ResourceAmounts,
  path: string,
): FieldError[] {
  const ordered = (
    [member, text]: readonly [member: string, shown: string | undefined],
    [low, least]: readonly [low: string, least: string | undefined],
    [high, maxText]: readonly [high: string, most: string | undefined],
  ) => {
    if (least === undefined || maxText === undefined) return []
    if (parseQuantity(least).nano <= parseQuantity(maxText).nano) return []
    const why = `${low} value ${least} is greater than ${high} value ${maxText}`
    return [invalidValue(`${path}.${member}[${name}]`, text, why)]
  }
  return [
    ...ordered(['min', min], ['min', min], ['max', max]),
    ...ordered(['defaultRequest', request], ['min', min], ['default request', request]),
    ...ordered(['defaultRequest', request], ['default request', request], ['max', max]),
    ...ordered(['defaultRequest', request], ['default request', request], ['default limit', limit]),
    ...ordered(['default', min], ['min', min], ['default', limit]),
    ...ordered(['default', max], ['default', limit], ['max', max]),
  ]
}

const nano = 1_000_000_000

function ratioErrors(field: string, ratio: string | undefined, { min, max }: ResourceAmounts): FieldError[] {
  if (ratio === undefined) return []
  const value = Number(parseQuantity(ratio).nano)
  const small = value < nano ? [invalidValue(field, ratio, `ratio ${ratio} is less than 1`)] : []
  if (min === undefined || max === undefined) return small
  const bound = Number(parseQuantity(max).nano) / Number(parseQuantity(min).nano)
  if (!(value / nano > bound)) return small
  const why = `ratio ${ratio} is greater than max/min = ${bound.toFixed(6)}`
  return [...small, invalidValue(field, ratio, why)]
}

/** The error of a request that differs from its limit, for resources such as devices and huge pages. */
function overcommitErrors(name: string, { limit, request }: ResourceAmounts, path: string): FieldError[] {
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined) return []
  if (parseQuantity(limit).nano === parseQuantity(request).nano) return []
  const why = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`
  return [invalidValue(`${path}.defaultRequest[${name}]`, request, why)]
}
