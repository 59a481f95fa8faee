/**
 * The errors of a pod's spec, alone or in a template; `ValidatePodSpec` of Kubernetes v1.36.3, in its order,
 * in which it finds them.
 */
import { labelValueProblems } from '../../../sdk/engine/kube/label-syntax.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  unsupported,
} from '../../validation/field-error.js'
import { validateLabels } from '../../validation/metadata.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkChoice, checkName, checkOptionalChoice, checkQualified } from '../../validation/values.js'
import { affinityErrors } from './affinity-errors.js'
import { podClaimErrors } from './claim-name-errors.js'
import { containerErrors, initContainerErrors } from './container-errors.js'
import { ephemeralErrors } from './ephemeral-errors.js'
import { hostAliasErrors, hostnameOverrideErrors, readinessGateErrors } from './host-name-errors.js'
import { dnsErrors, spreadErrors, systemErrors } from './placement-errors.js'
import { podResourceErrors } from './pod-resources.js'
import { resourceErrors } from './resource-errors.js'
import { podSecurityErrors } from './security-context-errors.js'
import type { PodSpec, Toleration } from './spec.js'
import { checkVolumes } from './volume-errors.js'
import { hostProcessErrors } from './windows-errors.js'

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const restartPolicies = ['Always', 'OnFailure', 'Never']
const maxInt32 = 2 ** 31 - 1

/** Validates a spec at `path`. */
export function podSpecErrors(givenSpec: PodSpec, path: string): FieldError[] {
  // Go writes a missing list as null.
  const spec = { ...givenSpec, containers: givenSpec.containers ?? [] }
  const { errors, volumes } = checkVolumes(spec.volumes ?? [], `${path}.volumes`)
  const declared = { volumes, claims: claimNames(spec), hasHostUsers: spec.hostUsers !== false }
  return [
    ...errors,
    ...podClaimErrors(spec, `${path}.resourceClaims`),
    ...containerErrors(spec, declared, `${path}.containers`),
    ...initContainerErrors(spec, declared, `${path}.initContainers`),
    ...ephemeralErrors(spec, declared, `${path}.ephemeralContainers`),
    ...podResourceErrors(spec, declared.claims, `${path}.resources`),
    ...hostNetworkErrors(spec, path),
    ...placementErrors(spec, path),
    ...identityErrors(spec, path),
  ]
}

/** The errors of policies, labels, security and the choice of a node. */
function placementErrors(spec: PodSpec, path: string): FieldError[] {
  return [
    ...checkChoice(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies),
    ...checkChoice(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...podSecurityErrors(spec.securityContext, `${path}.securityContext`),
    ...affinityErrors(spec.affinity ?? {}, `${path}.affinity`),
    ...dnsErrors(spec, `${path}.dnsConfig`),
    ...readinessGateErrors(spec, `${path}.readinessGates`),
    ...gateErrors(spec, `${path}.schedulingGates`),
    ...spreadErrors(spec, `${path}.topologySpreadConstraints`),
  ]
}

/** The errors of names, of namespaces that the pod shares with its node, and of its priority class. */
function identityErrors(spec: PodSpec, path: string): FieldError[] {
  return [
    ...hostProcessErrors(spec, path),
    ...hostUsersErrors(spec, path),
    ...hostnameOverrideErrors(spec, path),
    ...nameErrors(spec, path),
    ...deadlineErrors(spec, `${path}.activeDeadlineSeconds`),
    ...hostnameErrors(spec, path),
    ...tolerationErrors(spec.tolerations ?? [], `${path}.tolerations`),
    ...hostAliasErrors(spec, `${path}.hostAliases`),
    ...classErrors(spec, path),
    ...resourceErrors({ limits: spec.overhead }, `${path}.overhead`),
    ...systemErrors(spec, `${path}.os`),
  ]
}

function claimNames({ resourceClaims = [] }: PodSpec): ReadonlySet<string> {
  return new Set(resourceClaims.map(({ name = '' }) => name).filter((name) => name !== ''))
}

function hostNetworkErrors({ hostNetwork = false, containers = [] }: PodSpec, path: string): FieldError[] {
  if (!hostNetwork) return []
  return containers.flatMap(({ ports = [] }, position) =>
    ports.flatMap(({ hostPort = 0, containerPort }, index) => {
      const field = `${path}.containers[${position}].ports[${index}].hostPort`
      const why = 'must match `containerPort` when `hostNetwork` is true'
      return hostPort === 0 || hostPort === containerPort ? [] : [invalidValue(field, hostPort, why)]
    }),
  )
}

/** The errors of a pod in its own user namespace, which must not use other namespaces of the node. */
function hostUsersErrors(spec: PodSpec, path: string): FieldError[] {
  if (spec.hostUsers !== false) return []
  const shared = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const
  const why = 'when `hostUsers` is false'
  const devices = (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap(({ volumeDevices = [] }, index) =>
      volumeDevices.length > 0 ? [forbiddenValue(`${path}.${field}[${index}].volumeDevices`, why)] : [],
    ),
  )
  return [
    ...shared.flatMap(([name, shownName]) =>
      spec[name] === true ? [forbiddenValue(`${path}.${shownName}`, why)] : [],
    ),
    ...devices,
  ]
}

function gateErrors({ schedulingGates = [] }: PodSpec, path: string): FieldError[] {
  const names = schedulingGates.map(({ name = '' }) => name)
  const repeated = repeatedIndexes(names)
  return names.flatMap((name, index) => [
    ...checkQualified(`${path}[${index}]`, name),
    ...(repeated.has(index) ? [duplicate(`${path}[${index}]`, name)] : []),
  ])
}

function nameErrors({ serviceAccountName = '', nodeName = '' }: PodSpec, path: string): FieldError[] {
  return [
    ...(serviceAccountName === ''
      ? []
      : checkName(`${path}.serviceAccountName`, serviceAccountName, checkSubdomainName)),
    ...(nodeName === '' ? [] : checkName(`${path}.nodeName`, nodeName, checkSubdomainName)),
  ]
}

function deadlineErrors({ activeDeadlineSeconds: seconds = 1 }: PodSpec, field: string): FieldError[] {
  const isPossible = seconds >= 1 && seconds <= maxInt32
  return isPossible ? [] : [invalidValue(field, seconds, `must be between 1 and ${maxInt32}, inclusive`)]
}

function hostnameErrors({ hostname = '', subdomain = '' }: PodSpec, path: string): FieldError[] {
  return [
    ...(hostname === '' ? [] : checkName(`${path}.hostname`, hostname, checkLabelName)),
    ...(subdomain === '' ? [] : checkName(`${path}.subdomain`, subdomain, checkLabelName)),
  ]
}

/** The known operators of tolerations; `Lt` and `Gt` are behind a feature gate. */
const operators = ['Equal', 'Exists', 'Lt', 'Gt']
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const anyKey = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'

/** Checks tolerations; also for an update that adds some. */
export function tolerationErrors(tolerations: readonly Toleration[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration
    const itemPath = `${path}[${index}]`
    const late = tolerationSeconds !== undefined && effect !== 'NoExecute'
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set"
    return [
      ...(key === '' ? [] : checkQualified(`${itemPath}.key`, key)),
      ...(key === '' && operator !== 'Exists'
        ? [invalidValue(`${itemPath}.operator`, operator, anyKey)]
        : []),
      ...(late ? [invalidValue(`${itemPath}.effect`, effect, why)] : []),
      ...operatorErrors(toleration, `${itemPath}.operator`),
      ...(effect === '' ? [] : checkChoice(`${itemPath}.effect`, effect, effects)),
    ]
  })
}

function operatorErrors({ operator = '', value = '' }: Toleration, field: string): FieldError[] {
  if (operator === 'Exists') {
    return value === '' ? [] : [invalidValue(field, value, "value must be empty when `operator` is 'Exists'")]
  }
  if (operator === 'Lt' || operator === 'Gt') return [unsupported(field, `"${operator}"`, operators)]
  if (operator !== '' && operator !== 'Equal') {
    return [unsupported(field, JSON.stringify(operator), ['Equal', 'Exists'])]
  }
  const problems = labelValueProblems(value)
  return problems.length === 0 ? [] : [invalidValue(field, value, problems.join(';'))]
}

function classErrors(spec: PodSpec, path: string): FieldError[] {
  const { priorityClassName = '', runtimeClassName, preemptionPolicy } = spec
  const preemption = ['PreemptLowerPriority', 'Never']
  return [
    ...(priorityClassName === ''
      ? []
      : checkName(`${path}.priorityClassName`, priorityClassName, checkSubdomainName)),
    ...(runtimeClassName === undefined
      ? []
      : checkName(`${path}.runtimeClassName`, runtimeClassName, checkSubdomainName)),
    ...checkOptionalChoice(`${path}.preemptionPolicy`, preemptionPolicy, preemption),
  ]
}
