import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { type FieldError, forbiddenValue } from '../../validation/field-error.js'
import type { Container, PodSpec } from './spec.js'

const lists = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', undefined],
] as const

/**
 * The errors of a terminated container whose state changes although it is not restarted;
 * `ValidateContainerStateTransition` of Kubernetes v1.36.3.
 */
export function containerStateErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const spec: PodSpec = recordOf(old.spec)
  return lists.flatMap(([statuses, containers]) => {
    const now = listAt(object, statuses)
    return listAt(old, statuses).flatMap((before, index) => {
      const exitCode = fieldAt(before, 'state', 'terminated', 'exitCode')
      if (exitCode === undefined || !beginsAgain(textAt(before, 'name'), now)) return []
      const container = containers && spec[containers]?.find(({ name }) => name === textAt(before, 'name'))
      const mayBegin = container !== undefined && isRestarted(container, spec, Number(exitCode))
      const why = 'may not be transitioned to non-terminated state'
      return mayBegin ? [] : [forbiddenValue(`status.${statuses}[${index}].state`, why)]
    })
  })
}

function listAt(object: OpenObject, name: string): readonly unknown[] {
  const list = fieldAt(object, 'status', name)
  return Array.isArray(list) ? list : []
}

function beginsAgain(name: string, statuses: readonly unknown[]): boolean {
  const status = statuses.find((each) => textAt(each, 'name') === name)
  return status !== undefined && fieldAt(status, 'state', 'terminated') === undefined
}

/** A container with its own restart rules, which depend on its exit code, counts as restarted. */
function isRestarted(container: Container, spec: PodSpec, exitCode: number): boolean {
  const { restartPolicy = spec.restartPolicy, restartPolicyRules = [] } = container
  if (restartPolicyRules.length > 0) return true
  return restartPolicy === 'OnFailure' ? exitCode !== 0 : restartPolicy !== 'Never'
}
