import { ownEntry } from '../../base/own-entry.js'
import { parseQuantity, QuantityProblem } from '../../schema/quantity.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import {
  containerResourceErrors,
  isHugePage,
  isNative,
  isOvercommitAllowed,
  resourceNameErrors,
} from '../resource-names.js'
import type { ResourceList } from './spec.js'

const nanosPerUnit = 1_000_000_000n

interface Amounts {
  readonly limits?: ResourceList | undefined
  readonly requests?: ResourceList
}

/** The errors of the resources of a container, or of a pod as a whole; `checkResource` checks their names. */
export function resourceErrors(
  { limits = {}, requests = {} }: Amounts,
  path: string,
  checkResource = containerResourceErrors,
): FieldError[] {
  return [
    ...Object.entries(limits).flatMap(([name, text]) =>
      quantityErrors(name, text, { field: `${path}.limits[${name}]`, checkResource }),
    ),
    ...Object.entries(requests).flatMap(([name, text]) => [
      ...quantityErrors(name, text, { field: `${path}.requests[${name}]`, checkResource }),
      ...limitErrors({ name, text, limit: ownEntry(limits, name) }, path),
    ]),
  ]
}

interface QuantityContext {
  readonly field: string
  readonly checkResource: typeof containerResourceErrors
}

function quantityErrors(name: string, text: string, { field, checkResource }: QuantityContext): FieldError[] {
  const { nano } = parseQuantity(text)
  const isWhole = isNative(name) || nano % nanosPerUnit === 0n
  return [
    ...checkResource(name, field),
    ...(nano < 0n ? [invalidValue(field, text, 'must be greater than or equal to 0')] : []),
    ...(isWhole ? [] : [invalidValue(field, text, 'must be an integer')]),
    ...multipleErrors(name, text, field),
  ]
}

/** Huge pages must be whole pages. */
function multipleErrors(name: string, text: string, field: string): FieldError[] {
  if (!isHugePage(name)) return []
  const page = pageSize(name)
  const { nano } = parseQuantity(text)
  if (page === undefined || (nano > 0n && nano % page === 0n)) return []
  return [invalidValue(field, text, `${text} is not positive integer multiple of ${name}`)]
}

function pageSize(name: string): bigint | undefined {
  try {
    return parseQuantity(name.slice('hugepages-'.length)).nano
  } catch (error) {
    if (error instanceof QuantityProblem) return undefined
    throw error
  }
}

/** Huge pages need a request or limit of CPU or memory. */
export function hugePageErrors({ limits = {}, requests = {} }: Amounts, path: string): FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  const isAlone = names.some(isHugePage) && !names.includes('cpu') && !names.includes('memory')
  return isAlone ? [forbiddenValue(path, 'HugePages require cpu or memory')] : []
}

/** A pod as a whole may have CPU, memory and huge pages. */
export function podResourceNameErrors(name: string, field: string): FieldError[] {
  const malformed = resourceNameErrors(name, field)
  if (malformed.length > 0 || name === 'cpu' || name === 'memory' || isHugePage(name)) return malformed
  return [unsupported(field, JSON.stringify(name), ['cpu', 'hugepages-', 'memory'])]
}

interface RequestWithLimit {
  readonly name: string
  readonly text: string
  readonly limit: string | undefined
}

function limitErrors({ name, text, limit }: RequestWithLimit, path: string): FieldError[] {
  const mayDiffer = isOvercommitAllowed(name)
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources'
    return mayDiffer ? [] : [required(`${path}.limits`, why)]
  }
  const [requested, maxNano] = [parseQuantity(text).nano, parseQuantity(limit).nano]
  const field = `${path}.requests`
  if (!mayDiffer && requested !== maxNano)
    return [invalidValue(field, text, `must be equal to ${name} limit of ${limit}`)]
  return requested > maxNano
    ? [invalidValue(field, text, `must be less than or equal to ${name} limit of ${limit}`)]
    : []
}
