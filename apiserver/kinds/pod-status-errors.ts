/** The errors of a pod's status; `ValidatePodStatusUpdate` of Kubernetes v1.36.3, in its order. */
import { isIPv4 } from 'node:net'
import { isIPv6 } from '../base/is-ipv6.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { duplicate, type FieldError, forbiddenValue, invalidValue } from '../validation/field-error.js'
import { checkSubdomainName } from '../validation/names.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkAddress, checkName, checkQualified } from '../validation/values.js'
import { containerStateErrors } from './pod-spec/container-state-errors.js'
import { extendedClaimErrors } from './pod-spec/extended-claim-errors.js'
import type { PodSpec } from './pod-spec/spec.js'

/** Checks a written status. */
export function podStatusErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const [now, before] = [textAt(object, 'status', 'qosClass'), textAt(old, 'status', 'qosClass')]
  const types = listAt(object, 'conditions').map((condition) => textAt(condition, 'type'))
  return [
    ...types.flatMap((type, index) => checkQualified(`status.conditions[${index}].Type`, type)),
    ...nominatedErrors(object, old),
    ...observedErrors(fieldAt(object, 'status', 'observedGeneration')),
    ...(now === before ? [] : [invalidValue('status.qosClass', now, 'field is immutable')]),
    ...containerStateErrors(object, old),
    ...claimStatusErrors(listAt(object, 'resourceClaimStatuses').map(recordOf), recordOf(object.spec)),
    ...extendedClaimErrors(object),
    ...addressErrors('status.podIPs', addressesAt(object, 'podIPs'), addressesAt(old, 'podIPs')),
    ...hostErrors(object),
    ...addressErrors('status.hostIPs', addressesAt(object, 'hostIPs'), addressesAt(old, 'hostIPs')),
  ]
}

function listAt(object: OpenObject, name: string): readonly unknown[] {
  const list = fieldAt(object, 'status', name)
  return Array.isArray(list) ? list : []
}

function nominatedErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const name = textAt(object, 'status', 'nominatedNodeName')
  if (name === '' || name === textAt(old, 'status', 'nominatedNodeName')) return []
  const field = 'status.nominatedNodeName'
  const isBound = textAt(old, 'spec', 'nodeName') !== ''
  const why = 'may not be set on pods that are already bound to a node'
  return [...checkName(field, name, checkSubdomainName), ...(isBound ? [forbiddenValue(field, why)] : [])]
}

function observedErrors(observed: unknown): FieldError[] {
  if (typeof observed !== 'number' || observed >= 0) return []
  return [invalidValue('status.observedGeneration', observed, 'must be a non-negative integer')]
}

const noClaim = 'must match the name of an entry in `spec.resourceClaims`'

function claimStatusErrors(
  statuses: readonly Record<string, unknown>[],
  { resourceClaims = [] }: PodSpec,
): FieldError[] {
  const names = statuses.map(({ name }) => String(name ?? ''))
  const repeated = repeatedIndexes(names)
  const claims = new Set(resourceClaims.map((each) => each.name ?? ''))
  return statuses.flatMap(({ resourceClaimName: claim }, index) => {
    const itemPath = `status.resourceClaimStatuses[${index}]`
    const name = names[index] ?? ''
    return [
      ...(claims.has(name) ? [] : [invalidValue(`${itemPath}.name`, name, noClaim)]),
      ...(repeated.has(index) ? [duplicate(`${itemPath}.name`, name)] : []),
      ...(claim === undefined
        ? []
        : checkName(`${itemPath}.resourceClaimName`, String(claim), checkSubdomainName)),
    ]
  })
}

const addressesAt = (object: OpenObject, name: string) =>
  listAt(object, name).map((each) => textAt(each, 'ip'))

const notDual = 'may specify no more than one IP for each IP family'

/** An existing address may be invalid. */
function addressErrors(field: string, addresses: readonly string[], before: readonly string[]): FieldError[] {
  const isPair = addresses.length === 2 && addresses.some(isIPv4) && addresses.some(isIPv6)
  const addressesInGo = addresses.map((ip) => ({ IP: ip }))
  return [
    ...addresses.flatMap((address, index) =>
      before.includes(address) ? [] : checkAddress(`${field}[${index}]`, address),
    ),
    ...(addresses.length < 2 || isPair ? [] : [invalidValue(field, addressesInGo, notDual)]),
  ]
}

function hostErrors(object: OpenObject): FieldError[] {
  const [first] = addressesAt(object, 'hostIPs')
  if (first === undefined || first === textAt(object, 'status', 'hostIP')) return []
  return [invalidValue('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')]
}
