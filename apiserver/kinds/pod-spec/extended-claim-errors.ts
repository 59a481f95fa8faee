import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import { duplicate, type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { checkName, checkRequiredName } from '../../validation/values.js'
import type { PodSpec } from './spec.js'

interface RequestMapping {
  readonly containerName?: string
  readonly resourceName?: string
  readonly requestName?: string
}

const claimStatusField = 'status.extendedResourceClaimStatus'
const noContainer = 'must match the name of an entry in spec.initContainers.name or spec.containers.name'
const noResource =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests'

/**
 * The errors of a pod's extended resource claim status; `validatePodExtendedResourceClaimStatus` of v1.36.3.
 */
export function extendedClaimErrors(object: OpenObject): FieldError[] {
  const status = fieldAt(object, 'status', 'extendedResourceClaimStatus')
  if (status === undefined || status === null) return []
  const { requestMappings, resourceClaimName } = recordOf(status)
  const mappings: RequestMapping[] = Array.isArray(requestMappings) ? requestMappings.map(recordOf) : []
  const seenRequests = new Set<string>()
  return [
    ...(mappings.length === 0
      ? [required(`${claimStatusField}.requestMappings`, 'at least one request mapping is required')]
      : []),
    ...mappings.flatMap((mapping, index) =>
      mappingErrors(mapping, recordOf(object.spec), { index, seenRequests }),
    ),
    ...checkRequiredName(
      `${claimStatusField}.resourceClaimName`,
      String(resourceClaimName ?? ''),
      checkSubdomainName,
    ),
  ]
}

/** The index of a mapping, and the keys of the mappings before it. */
interface MappingPosition {
  readonly index: number
  readonly seenRequests: Set<string>
}

function mappingErrors(
  { containerName = '', resourceName = '', requestName = '' }: RequestMapping,
  { containers, initContainers }: PodSpec,
  { index, seenRequests }: MappingPosition,
): FieldError[] {
  const path = `${claimStatusField}.requestMappings[${index}]`
  const container = [...(containers ?? []), ...(initContainers ?? [])].find(
    ({ name }) => name === containerName,
  )
  const key = JSON.stringify([containerName, resourceName, requestName])
  const isDuplicate = seenRequests.has(key)
  seenRequests.add(key)
  const hasResource = container?.resources?.requests?.[resourceName] !== undefined
  return [
    ...(container === undefined ? [invalidValue(`${path}.containerName`, containerName, noContainer)] : []),
    ...(container !== undefined && !hasResource
      ? [invalidValue(`${path}.resourceName`, resourceName, noResource)]
      : []),
    ...checkName(`${claimStatusField}.requestName`, requestName, checkLabelName),
    ...(isDuplicate
      ? [
          duplicate(`${path}.containerName`, containerName),
          duplicate(`${path}.resourceName`, resourceName),
          duplicate(`${path}.requestName`, requestName),
        ]
      : []),
  ]
}
