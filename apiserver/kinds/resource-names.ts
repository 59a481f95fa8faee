/** Names of resources in quantities; `pkg/apis/core/helper/helpers.go` of Kubernetes v1.36.3. */
import { labelKeyProblems } from '../../sdk/engine/kube/label-syntax.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { checkQualified } from '../validation/values.js'

const containerResources = ['cpu', 'memory', 'ephemeral-storage']
const countedResources = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const quotaResources = [
  ...containerResources,
  ...containerResources.map((name) => `requests.${name}`),
  ...containerResources.map((name) => `limits.${name}`),
  'requests.storage',
  ...countedResources,
]

/** Whether a resource name is that of huge pages, such as `hugepages-2Mi`. */
export const isHugePage = (name: string): boolean => name.startsWith('hugepages-')
const isHugePageQuota = (name: string) => isHugePage(name) || name.startsWith('requests.hugepages-')

/** Whether a resource belongs to Kubernetes, and not to a device plugin. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/')

/** Whether the limit of a container may be higher than its request. */
export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !isHugePage(name)

/** Whether a resource is available to containers without a device plugin. */
const isContainerResource = (name: string): boolean => containerResources.includes(name) || isHugePage(name)

/** Whether a quota can limit a resource by this name. */
export const isQuotaResource = (name: string): boolean =>
  quotaResources.includes(name) || isHugePageQuota(name)

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && labelKeyProblems(`requests.${name}`).length === 0
}

/** Whether amounts of a resource must be integers. */
export const isIntegerResource = (name: string): boolean =>
  countedResources.includes(name) || isExtended(name)

/** The errors of any resource's name. */
export function resourceNameErrors(name: string, field: string): FieldError[] {
  const malformed = checkQualified(field, name)
  const isKnown = name.includes('/') || name === 'storage' || isQuotaResource(name)
  if (malformed.length > 0 || isKnown) return malformed
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')]
}

/** The errors of the name of a container's resource. */
export function containerResourceErrors(name: string, field: string): FieldError[] {
  return [...resourceNameErrors(name, field), ...ownErrors(name, field)]
}

function ownErrors(name: string, field: string): FieldError[] {
  const isOwn = name.includes('/') ? isNative(name) || isExtended(name) : isContainerResource(name)
  if (isOwn) return []
  const why = name.includes('/')
    ? "doesn't follow extended resource name standard"
    : 'must be a standard resource for containers'
  return [invalidValue(field, name, why)]
}

/** The errors of the name of a resource in a quota. */
export function quotaResourceErrors(name: string, field: string): FieldError[] {
  const isKnown = name.includes('/') || isQuotaResource(name)
  const quotaErrors = isKnown ? [] : [invalidValue(field, name, 'must be a standard resource for quota')]
  return [...resourceNameErrors(name, field), ...quotaErrors]
}
