import {
  duplicate,
  type FieldError,
  invalidValue,
  notFoundValue,
  required,
} from '../../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkName, checkRequiredName } from '../../validation/values.js'
import type { ClaimRequest, PodClaim, PodSpec } from './spec.js'

const both = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
const neither = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'

/** The errors of a pod's resource claims; `validatePodResourceClaims` of Kubernetes v1.36.3. */
export function podClaimErrors({ resourceClaims = [] }: PodSpec, path: string): FieldError[] {
  const repeated = repeatedIndexes(resourceClaims.map(({ name = '' }) => name))
  return resourceClaims.flatMap((claim, index) => {
    const { name = '', resourceClaimName: claimName, resourceClaimTemplateName: template } = claim
    const itemPath = `${path}[${index}]`
    const isDuplicate = name !== '' && repeated.has(index)
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
  const seen: SeenClaims = { keys: new Set(), requests: new Map() }
  return used.flatMap((claim, index) => {
    const itemPath = `${path}[${index}]`
    const { name = '' } = claim
    if (name === '') return [required(itemPath, '')]
    return [
      ...repeatedErrors(claim, seen, itemPath),
      ...(claims.has(name) ? [] : [missingError(name, claims, itemPath)]),
    ]
  })
}

/** The claims and the requests of claims that are used. */
interface SeenClaims {
  /** The names of whole claims, and the names of claims with a request. */
  readonly keys: Set<string>
  /** The number of requests by the name of their claim. */
  readonly requests: Map<string, number>
}

/** The errors of a claim that is used twice. Using a whole claim and also one of its requests is a duplicate. */
function repeatedErrors(
  { name = '', request = '' }: ClaimRequest,
  { keys, requests }: SeenClaims,
  claimPath: string,
): FieldError[] {
  if (keys.has(name)) return [duplicate(claimPath, name)]
  const key = request === '' ? name : `${name}/${request}`
  const length = request === '' ? (requests.get(name) ?? 0) : 0
  const errors = [
    ...(request === '' ? [] : checkName(`${claimPath}.request`, request, checkLabelName)),
    ...(keys.has(key)
      ? [duplicate(claimPath, key)]
      : Array.from({ length }, () => duplicate(claimPath, name))),
  ]
  if (request !== '' && !keys.has(key)) requests.set(name, (requests.get(name) ?? 0) + 1)
  keys.add(key)
  return errors
}

/** The sorted names of the claims of a pod, which all of its errors contain. */
const claimLists = new WeakMap<ReadonlySet<string>, string>()

function claimListOf(claims: ReadonlySet<string>): string {
  const list = claimLists.get(claims) ?? [...claims].sort().join(', ')
  claimLists.set(claims, list)
  return list
}

function missingError(name: string, claims: ReadonlySet<string>, claimPath: string): FieldError {
  const error = notFoundValue(claimPath, name)
  const list = claims.size === 0 ? ' which is empty' : `: ${claimListOf(claims)}`
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${list}` }
}
