import { parseQuantity } from '../../schema/quantity.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkQualified } from '../../validation/values.js'
import type { ResourceList } from './spec.js'

const NANO = 1_000_000_000n
const STANDARD = ['cpu', 'memory', 'ephemeral-storage']
/** What the API knows beside the resources of containers. */
const OTHERS = [
  'pods',
  'storage',
  'services',
  'secrets',
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
]

/** What is wrong with the resources of a container. */
export function resourceErrors(
  {
    limits = {},
    requests = {},
  }: { readonly limits?: ResourceList | undefined; readonly requests?: ResourceList },
  path: string,
): FieldError[] {
  return [
    ...Object.entries(limits).flatMap(([name, text]) =>
      quantityErrors(name, text, `${path}.limits[${name}]`),
    ),
    ...Object.entries(requests).flatMap(([name, text]) => [
      ...quantityErrors(name, text, `${path}.requests[${name}]`),
      ...limitErrors({ name, text, limit: limits[name] }, path),
    ]),
  ]
}

const isHugePage = (name: string) => name.startsWith('hugepages-')
const isStandard = (name: string) => STANDARD.includes(name) || isHugePage(name)
const isNative = (name: string) => !name.includes('/') || name.includes('kubernetes.io/')

function quantityErrors(name: string, text: string, field: string): FieldError[] {
  const { nano } = parseQuantity(text)
  const isWhole = isNative(name) || nano % NANO === 0n
  return [
    ...nameErrors(name, field),
    ...(nano < 0n ? [invalidValue(field, text, 'must be greater than or equal to 0')] : []),
    ...(isWhole ? [] : [invalidValue(field, text, 'must be an integer')]),
  ]
}

function nameErrors(name: string, field: string): FieldError[] {
  const malformed = checkQualified(field, name)
  if (name.includes('/')) return malformed
  const own = isStandard(name)
    ? []
    : [invalidValue(field, name, 'must be a standard resource for containers')]
  if (malformed.length > 0 || isStandard(name) || OTHERS.includes(name)) return [...malformed, ...own]
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified'), ...own]
}

interface Asked {
  readonly name: string
  readonly text: string
  readonly limit: string | undefined
}

function limitErrors({ name, text, limit }: Asked, path: string): FieldError[] {
  const mayDiffer = isNative(name) && !isHugePage(name)
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources'
    return mayDiffer ? [] : [required(`${path}.limits`, why)]
  }
  const [asked, most] = [parseQuantity(text).nano, parseQuantity(limit).nano]
  const field = `${path}.requests`
  if (!mayDiffer && asked !== most)
    return [invalidValue(field, text, `must be equal to ${name} limit of ${limit}`)]
  return asked > most
    ? [invalidValue(field, text, `must be less than or equal to ${name} limit of ${limit}`)]
    : []
}
