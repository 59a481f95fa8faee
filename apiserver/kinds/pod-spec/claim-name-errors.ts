import {
  duplicate,
  type FieldError,
  invalidValue,
  notFoundValue,
  required,
} from '../../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { checkName, checkRequiredName } from '../../validation/values.js'
import type { ClaimRequest, PodClaim, PodSpec } from './spec.js'

const both = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
const neither = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'

/** The errors of a pod's resource claims; `validatePodResourceClaims` of Kubernetes v1.36.3. */
export function podClaimErrors({ resourceClaims = [] }: PodSpec, path: string): FieldError[] {
  const names = resourceClaims.map(({ name = '' }) => name)
  return resourceClaims.flatMap((claim, index) => {
    const { name = '', resourceClaimName: claimName, resourceClaimTemplateName: template } = claim
    const itemPath = `${path}[${index}]`
    const isDuplicate = name !== '' && names.indexOf(name) < index
    return [
      ...(isDuplicate
        ? [duplicate(`${itemPath}.name`, name)]
        : checkRequiredName(`${itemPath}.name`, name, checkLabelName)),
      ...sourceErrors(claim, itemPath),
      ...(claimName === undefined
        ? []
        : checkName(`${itemPath}.resourceClaimName`, claimName, checkSubdomainName)),
      ...(template === undefined
        ? []
        : checkName(`${itemPath}.resourceClaimTemplateName`, template, checkSubdomainName)),
    ]
  })
}

function sourceErrors(claim: PodClaim, path: string): FieldError[] {
  const { name = '', resourceClaimName: claimName, resourceClaimTemplateName: template } = claim
  if ((claimName === undefined) !== (template === undefined)) return []
  const shownValue = {
    Name: name,
    ResourceClaimName: claimName ?? null,
    ResourceClaimTemplateName: template ?? null,
  }
  return [invalidValue(path, shownValue, claimName === undefined ? neither : both)]
}

/** The errors of the claims that a container uses; `validateResourceClaimNames` of Kubernetes v1.36.3. */
export function usedClaimErrors(
  used: readonly ClaimRequest[],
  claims: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const seenNames = new Set<string>()
  return used.flatMap((claim, index) => {
    const itemPath = `${path}[${index}]`
    const { name = '' } = claim
    if (name === '') return [required(itemPath, '')]
    return [
      ...repeatedErrors(claim, seenNames, itemPath),
      ...(claims.has(name) ? [] : [missingError(name, claims, itemPath)]),
    ]
  })
}

/** The errors of a claim that is used twice. Using a whole claim and also one of its requests is a duplicate. */
function repeatedErrors(
  { name = '', request = '' }: ClaimRequest,
  seenNames: Set<string>,
  claimPath: string,
): FieldError[] {
  if (seenNames.has(name)) return [duplicate(claimPath, name)]
  const key = request === '' ? name : `${name}/${request}`
  const duplicates = request === '' ? [...seenNames].filter((each) => each.startsWith(`${name}/`)) : []
  const errors = [
    ...(request === '' ? [] : checkName(`${claimPath}.request`, request, checkLabelName)),
    ...(seenNames.has(key) ? [duplicate(claimPath, key)] : duplicates.map(() => duplicate(claimPath, name))),
  ]
  seenNames.add(key)
  return errors
}

function missingError(name: string, claims: ReadonlySet<string>, claimPath: string): FieldError {
  const error = notFoundValue(claimPath, name)
  const list = claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${list}` }
}
