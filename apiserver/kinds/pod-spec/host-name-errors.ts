import { type FieldError, forbiddenValue, tooLong } from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'
import { checkAddress, checkName, checkQualified } from '../../validation/values.js'
import type { PodSpec } from './spec.js'

const maxBytes = 64

/** The errors of a pod's hostname override; `validatePodHostName` of Kubernetes v1.36.3. */
export function hostnameOverrideErrors(spec: PodSpec, path: string): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec
  if (name === undefined) return []
  const field = `${path}.hostnameOverride`
  const takenNameError = (by: string) => forbiddenValue(field, `may not be specified when ${by} is true`)
  return [
    ...(setHostnameAsFQDN === true ? [takenNameError('setHostnameAsFQDN')] : []),
    ...(hostNetwork === true ? [takenNameError('hostNetwork')] : []),
    ...(Buffer.byteLength(name) > maxBytes ? [tooLong(field, maxBytes)] : []),
    ...checkName(field, name, checkSubdomainName),
  ]
}

/** The errors of a pod's host aliases; `ValidateHostAliases` of Kubernetes v1.36.3. */
export function hostAliasErrors({ hostAliases = [] }: PodSpec, path: string): FieldError[] {
  return hostAliases.flatMap(({ ip = '', hostnames = [] }, position) => [
    ...checkAddress(`${path}[${position}].ip`, ip),
    ...hostnames.flatMap((name, index) =>
      checkName(`${path}[${position}].hostnames[${index}]`, name, checkSubdomainName),
    ),
  ])
}

/** The errors of a pod's readiness gates. */
export function readinessGateErrors({ readinessGates = [] }: PodSpec, path: string): FieldError[] {
  return readinessGates.flatMap(({ conditionType = '' }, index) =>
    checkQualified(`${path}[${index}].conditionType`, conditionType),
  )
}
