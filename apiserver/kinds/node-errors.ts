/**
 * The errors of a node; `ValidateNode` and `ValidateNodeUpdate` of Kubernetes v1.36.3, without annotations.
 */
import { labelValueProblems } from '../../sdk/engine/kube/label-syntax.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseQuantity } from '../schema/quantity.js'
import { duplicate, type FieldError, forbiddenValue, invalidValue } from '../validation/field-error.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkChoice, checkQualified } from '../validation/values.js'
import { cidrRangeErrors, isIPv6Range } from './cidr-errors.js'

interface Taint {
  readonly key?: string
  readonly value?: string
  readonly effect?: string
  readonly timeAdded?: string
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** The errors of a node. */
export function nodeErrors(object: OpenObject): FieldError[] {
  return [...taintErrors(object), ...amountErrors(object), ...rangeErrors(rangesOf(object))]
}

/** The errors of changes to a node, including its status. */
export function nodeChangeErrors(object: OpenObject, old: OpenObject): FieldError[] {
  return [
    ...amountErrors(object),
    ...addressErrors(object),
    ...rangeChangeErrors(rangesOf(object), rangesOf(old)),
    ...providerErrors(object, old),
    ...taintErrors(object),
    ...(textAt(object, 'spec', 'externalID') === textAt(old, 'spec', 'externalID')
      ? []
      : [forbiddenValue('spec.externalID', 'may not be updated')]),
  ]
}

function listAt(object: OpenObject, ...path: readonly string[]): readonly unknown[] {
  const list = fieldAt(object, ...path)
  return Array.isArray(list) ? list : []
}

const rangesOf = (object: OpenObject) => listAt(object, 'spec', 'podCIDRs').map(String)

function taintErrors(object: OpenObject): FieldError[] {
  const taints: readonly Taint[] = listAt(object, 'spec', 'taints').map(recordOf)
  const keys = taints.map(({ key = '', effect = '' }) => `${key} ${effect}`)
  const repeated = repeatedIndexes(keys)
  return taints.flatMap((taint, index) => {
    const { key = '', value = '', effect } = taint
    const itemPath = `metadata.taints[${index}]`
    const problems = labelValueProblems(value)
    return [
      ...checkQualified(`${itemPath}.key`, key),
      ...(problems.length === 0 ? [] : [invalidValue(`${itemPath}.value`, value, problems.join(';'))]),
      ...checkChoice(`${itemPath}.effect`, effect, effects),
      ...(repeated.has(index) ? [duplicateTaintError(taint, itemPath)] : []),
    ]
  })
}

function duplicateTaintError(
  { key = '', value = '', effect = '', timeAdded = undefined }: Taint,
  path: string,
): FieldError {
  const shownValue = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null }
  const error = duplicate(path, shownValue)
  return { ...error, message: `${error.message}: taints must be unique by key and effect pair` }
}

const nanosPerUnit = 1_000_000_000n
const mustBeInteger =
  /^(?:pods|services|secrets|configmaps|resourcequotas|replicationcontrollers|persistentvolumeclaims)$/

function amountErrors(object: OpenObject): FieldError[] {
  return ['capacity', 'allocatable'].flatMap((member) =>
    Object.entries(recordOf(fieldAt(object, 'status', member))).flatMap(([name, text]) => {
      const field = `status.${member}.${name}`
      const { nano } = parseQuantity(String(text))
      const isWhole = nano % nanosPerUnit === 0n || !(mustBeInteger.test(name) || isExtended(name))
      return [
        ...(nano < 0n ? [invalidValue(field, text, 'must be greater than or equal to 0')] : []),
        ...(isWhole ? [] : [invalidValue(field, text, 'must be an integer')]),
      ]
    }),
  )
}

const isExtended = (name: string) => name.includes('/') && !name.includes('kubernetes.io/')

function addressErrors(object: OpenObject): FieldError[] {
  const addresses = listAt(object, 'status', 'addresses').map((each) => ({
    Type: textAt(each, 'type'),
    Address: textAt(each, 'address'),
  }))
  const repeated = repeatedIndexes(addresses.map((address) => JSON.stringify(address)))
  return addresses.flatMap((address, index) =>
    repeated.has(index) ? [duplicate(`status.addresses[${index}]`, address)] : [],
  )
}

function rangeErrors(ranges: readonly string[]): FieldError[] {
  const isPair = ranges.length === 2 && new Set(ranges.map(isIPv6Range)).size === 2
  const why = 'may specify no more than one CIDR for each IP family'
  return [
    ...ranges.flatMap((range, index) => cidrRangeErrors(`spec.podCIDRs[${index}]`, range)),
    ...(ranges.length < 2 || isPair ? [] : [invalidValue('spec.podCIDRs', ranges, why)]),
  ]
}

const immutableFields = 'node updates may not change'

function rangeChangeErrors(ranges: readonly string[], before: readonly string[]): FieldError[] {
  if (before.length === 0) return []
  const error = forbiddenValue('spec.podCIDRs', `${immutableFields} podCIDR except from "" to valid`)
  if (ranges.length !== before.length) return [error]
  return before.flatMap((range, index) => (range === ranges[index] ? [] : [error]))
}

function providerErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const before = textAt(old, 'spec', 'providerID')
  if (before === '' || before === textAt(object, 'spec', 'providerID')) return []
  return [forbiddenValue('spec.providerID', `${immutableFields} providerID except from "" to valid`)]
}
