import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../../validation/field-error.js'
import { checkLabelName, portNameProblems } from '../../validation/names.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkChoice, checkOptionalChoice, checkPort, checkRequiredName } from '../../validation/values.js'
import { usedClaimErrors } from './claim-name-errors.js'
import { envErrors } from './env-errors.js'
import { deviceErrors, mountErrors } from './mount-errors.js'
import { probeErrors } from './probe-errors.js'
import { hugePageErrors, resourceErrors } from './resource-errors.js'
import { containerSecurityErrors } from './security-context-errors.js'
import type { Container, ContainerPort, PodNames, PodSpec } from './spec.js'

const messagePolicies = ['File', 'FallbackToLogsOnError']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const restartPolicies = ['Always', 'Never', 'OnFailure']
const sidecarOnlyFields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const

/** The errors of a pod's containers; `validateContainers` of Kubernetes v1.36.3. */
export function containerErrors(spec: PodSpec, declared: PodNames, path: string): FieldError[] {
  const { containers = [] } = spec
  if (containers.length === 0) return [required(path, '')]
  const repeated = repeatedIndexes(containers.map(({ name }) => name ?? ''))
  const errors = containers.flatMap((container, index) => [
    ...commonErrors(container, declared, `${path}[${index}]`),
    ...(repeated.has(index) ? [duplicate(`${path}[${index}].name`, container.name ?? '')] : []),
    ...probeErrors(container, spec, `${path}[${index}]`),
    ...checkOptionalChoice(`${path}[${index}].restartPolicy`, container.restartPolicy, restartPolicies),
  ])
  return [...errors, ...hostPortErrors(containers, path)]
}

/** The errors of init containers; sidecars may have probes. */
export function initContainerErrors(spec: PodSpec, declared: PodNames, path: string): FieldError[] {
  const { containers = [], initContainers = [] } = spec
  const repeated = repeatedIndexes([...containers, ...initContainers].map(({ name }) => name ?? ''))
  return initContainers.flatMap((container, index) => {
    const itemPath = `${path}[${index}]`
    const { name = '', restartPolicy } = container
    const isDuplicate = name !== '' && repeated.has(containers.length + index)
    return [
      ...commonErrors(container, declared, itemPath),
      ...checkOptionalChoice(`${itemPath}.restartPolicy`, restartPolicy, restartPolicies),
      ...(isDuplicate ? [duplicate(`${itemPath}.name`, name)] : []),
      ...(restartPolicy === 'Always'
        ? probeErrors(container, spec, itemPath)
        : sidecarFieldErrors(container, itemPath)),
    ]
  })
}

function sidecarFieldErrors(container: Container, path: string): FieldError[] {
  const why = 'may not be set for init containers without restartPolicy=Always'
  return sidecarOnlyFields.flatMap((name) =>
    container[name] === undefined ? [] : [forbiddenValue(`${path}.${name}`, why)],
  )
}

/** The checks for all containers. */
export function commonErrors(container: Container, declared: PodNames, path: string): FieldError[] {
  const { name = '', image = '', ports = [], resources = {} } = container
  return [
    ...checkRequiredName(`${path}.name`, name, checkLabelName),
    ...(image === '' ? [required(`${path}.image`, '')] : []),
    ...checkChoice(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, messagePolicies),
    ...portErrors(ports, `${path}.ports`),
    ...envErrors(container, path),
    ...mountErrors(container, declared.volumes, `${path}.volumeMounts`),
    ...deviceErrors(container, declared.volumes, `${path}.volumeDevices`),
    ...checkChoice(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies),
    ...resourceErrors(resources, `${path}.resources`),
    ...hugePageErrors(resources, `${path}.resources`),
    ...usedClaimErrors(resources.claims ?? [], declared.claims, `${path}.resources.claims`),
    ...resizeErrors(container, `${path}.resizePolicy`),
    ...containerSecurityErrors(container.securityContext, `${path}.securityContext`, declared.hasHostUsers),
  ]
}

function resizeErrors({ resizePolicy = [] }: Container, path: string): FieldError[] {
  const names = resizePolicy.map(({ resourceName = '' }) => resourceName)
  const repeated = repeatedIndexes(names)
  return resizePolicy.flatMap(({ restartPolicy }, index) => [
    ...(repeated.has(index) ? [duplicate(`${path}[${index}]`, names[index])] : []),
    ...checkChoice(path, names[index], ['cpu', 'memory']),
    ...checkChoice(path, restartPolicy, ['NotRequired', 'RestartContainer']),
  ])
}

function portErrors(ports: readonly ContainerPort[], path: string): FieldError[] {
  const repeated = repeatedIndexes(ports.map(({ name = '' }) => name))
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol }, index) => {
    const itemPath = `${path}[${index}]`
    const problems = name === '' ? [] : portNameProblems(name)
    const isDuplicate = name !== '' && problems.length === 0 && repeated.has(index)
    return [
      ...problems.map((problem) => invalidValue(`${itemPath}.name`, name, problem)),
      ...(isDuplicate ? [duplicate(`${itemPath}.name`, name)] : []),
      ...(containerPort === 0
        ? [required(`${itemPath}.containerPort`, '')]
        : checkPort(`${itemPath}.containerPort`, containerPort)),
      ...(hostPort === 0 ? [] : checkPort(`${itemPath}.hostPort`, hostPort)),
      ...checkChoice(`${itemPath}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ]
  })
}

function hostPortErrors(containers: readonly Container[], path: string): FieldError[] {
  const takenPorts = new Set<string>()
  const errors: FieldError[] = []
  for (const [position, { ports = [] }] of containers.entries()) {
    for (const [index, { hostPort = 0, hostIP = '', protocol }] of ports.entries()) {
      const key = `${protocol}/${hostIP}/${hostPort}`
      if (hostPort !== 0 && takenPorts.has(key))
        errors.push(duplicate(`${path}[${position}].ports[${index}].hostPort`, key))
      takenPorts.add(key)
    }
  }
  return errors
}
