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
    const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim
    const at = `${path}[${index}]`
    const isDuplicate = name !== '' && names.indexOf(name) < index
    return [
      ...(isDuplicate
        ? [duplicate(`${at}.name`, name)]
        : checkRequiredName(`${at}.name`, name, checkLabelName)),
      ...sourceErrors(claim, at),
      ...(own === undefined ? [] : checkName(`${at}.resourceClaimName`, own, checkSubdomainName)),
      ...(template === undefined
        ? []
        : checkName(`${at}.resourceClaimTemplateName`, template, checkSubdomainName)),
    ]
  })
}

function sourceErrors(claim: PodClaim, path: string): FieldError[] {
  const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim
  if ((own === undefined) !== (template === undefined)) return []
  const shown = { Name: name, ResourceClaimName: own ?? null, ResourceClaimTemplateName: template ?? null }
  return [invalidValue(path, shown, own === undefined ? neither : both)]
}

/** The errors of the claims that a container uses; `validateResourceClaimNames` of Kubernetes v1.36.3. */
export function usedClaimErrors(
  used: readonly ClaimRequest[],
  claims: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return used.flatMap((claim, index) => {
    const at = `${path}[${index}]`
    const { name = '' } = claim
    if (name === '') return [required(at, '')]
    return [...repeatedErrors(claim, seen, at), ...(claims.has(name) ? [] : [missingError(name, claims, at)])]
  })
}

/** The errors of a claim that is used twice. Using a whole claim and also one of its requests is a duplicate. */
function repeatedErrors(
  { name = '', request = '' }: ClaimRequest,
  seen: Set<string>,
  at: string,
): FieldError[] {
  if (seen.has(name)) return [duplicate(at, name)]
  const key = request === '' ? name : `${name}/${request}`
  const duplicates = request === '' ? [...seen].filter((each) => each.startsWith(`${name}/`)) : []
  const errors = [
    ...(request === '' ? [] : checkName(`${at}.request`, request, checkLabelName)),
    ...(seen.has(key) ? [duplicate(at, key)] : duplicates.map(() => duplicate(at, name))),
  ]
  seen.add(key)
  return errors
}

function missingError(name: string, claims: ReadonlySet<string>, at: string): FieldError {
  const error = notFoundValue(at, name)
  const list = claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${list}` }
}
