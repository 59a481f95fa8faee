import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { duplicate, type FieldError, forbiddenValue, notFoundValue } from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { commonErrors } from './container-errors.js'
import type { Container, PodNames, PodSpec } from './spec.js'

/** Fields that ephemeral containers must not have, in the order of the Go type. */
const forbiddenFields = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

/** The errors of ephemeral containers; `validateEphemeralContainers` of Kubernetes v1.36.3. */
export function ephemeralErrors(
  { containers = [], initContainers = [], ephemeralContainers = [] }: PodSpec,
  declared: PodNames,
  path: string,
): FieldError[] {
  const others = [...containers, ...initContainers].map(({ name = '' }) => name)
  const repeated = repeatedIndexes([...others, ...ephemeralContainers.map(({ name = '' }) => name)])
  const targets = new Set(containers.map(({ name }) => name))
  return ephemeralContainers.flatMap((container, index) => {
    const itemPath = `${path}[${index}]`
    const { name = '', targetContainerName: target = '' } = container
    const isDuplicate = name !== '' && repeated.has(others.length + index)
    // The resources are rejected as a whole.
    const { resources: _resources, ports: _ports, ...common } = container
    return [
      ...commonErrors(common, declared, itemPath),
      ...(isDuplicate ? [duplicate(`${itemPath}.name`, name)] : []),
      ...(target === '' || targets.has(target)
        ? []
        : [notFoundValue(`${itemPath}.targetContainerName`, target)]),
      ...forbiddenFieldErrors(container, itemPath),
      ...mountPathErrors(container, itemPath),
    ]
  })
}

function forbiddenFieldErrors(container: Container, containerPath: string): FieldError[] {
  const isEmpty = (value: unknown) =>
    value === undefined || (Array.isArray(value) && value.length === 0) || jsonEqual(value, {})
  const isSet = (field: (typeof forbiddenFields)[number]) =>
    field === 'lifecycle' ? container.lifecycle !== undefined : !isEmpty(container[field])
  return forbiddenFields
    .filter(isSet)
    .map((field) => forbiddenValue(`${containerPath}.${field}`, forbiddenForEphemeral))
}

const forbiddenForEphemeral = 'cannot be set for an Ephemeral Container'

function mountPathErrors({ volumeMounts = [] }: Container, containerPath: string): FieldError[] {
  return volumeMounts.flatMap((mount, index) =>
    (['subPath', 'subPathExpr'] as const).flatMap((field) =>
      mount[field]
        ? [forbiddenValue(`${containerPath}.volumeMounts[${index}].${field}`, forbiddenForEphemeral)]
        : [],
    ),
  )
}

/** Existing ephemeral containers are immutable. */
export function ephemeralChangeErrors(
  { ephemeralContainers: now = [] }: PodSpec,
  { ephemeralContainers: before = [] }: PodSpec,
): FieldError[] {
  const refuse = (name: string, change: string) =>
    forbiddenValue(
      'spec.ephemeralContainers',
      `existing ephemeral containers "${name}" may not be ${change}\n`,
    )
  return before.flatMap((old) => {
    const { name = '' } = old
    const keptContainer = now.find((each) => each.name === name)
    if (keptContainer === undefined) return [refuse(name, 'removed')]
    return jsonEqual(keptContainer, old) ? [] : [refuse(name, 'changed')]
  })
}
