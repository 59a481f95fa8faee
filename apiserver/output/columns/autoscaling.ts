import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { ownEntry } from '../../base/own-entry.js'
import { count, elementsAt, pointer } from './cell.js'
import type { CellsByResource } from './column.js'

const unknownText = '<unknown>'
const shownMetrics = 2

/** The cells of autoscalers, in the format of `autoscaling/v2`. */
export const autoscalingCells: CellsByResource = {
  'horizontalpodautoscalers.autoscaling': {
    Reference: (object) => {
      const target = fieldAt(object, 'spec', 'scaleTargetRef')
      return `${textAt(target, 'kind')}/${textAt(target, 'name')}`
    },
    Targets: targetsOf,
    MinPods: pointer('<unset>', 'spec', 'minReplicas'),
    MaxPods: count('spec', 'maxReplicas'),
    Replicas: count('status', 'currentReplicas'),
  },
}

function targetsOf(object: OpenObject): string {
  const statuses = elementsAt(object, 'status', 'currentMetrics')
  const targets = elementsAt(object, 'spec', 'metrics').map((metric, index) =>
    targetOf(metric, statuses[index]),
  )
  if (targets.length === 0) return '<none>'
  const shownText = targets.slice(0, shownMetrics).join(', ')
  const more = targets.length - shownMetrics
  return more > 0 ? `${shownText} + ${more} more...` : shownText
}

/** The member of each metric type with its target, and with its current value in the status. */
const members: Readonly<Record<string, string>> = {
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
}

function targetOf(metric: Record<string, unknown>, status: unknown): string {
  const type = textAt(metric, 'type')
  const member = ownEntry(members, type)
  if (member === undefined) return '<unknown type>'
  const target = fieldAt(metric, member, 'target')
  const current = fieldAt(status, member, 'current')
  if (type === 'Pods') return `${quantity(current, 'averageValue')}/${quantityOf(target, 'averageValue')}`
  return type.endsWith('Resource')
    ? `${textAt(metric, member, 'name')}: ${resourceTarget(target, current)}`
    : valueTarget(target, current)
}

function resourceTarget(target: unknown, current: unknown): string {
  if (fieldAt(target, 'averageValue') !== undefined) {
    return `${quantity(current, 'averageValue')}/${quantityOf(target, 'averageValue')}`
  }
  const utilization = percent(current, unknownText)
  return `${utilization}/${percent(target, '<auto>')}`
}

function valueTarget(target: unknown, current: unknown): string {
  if (fieldAt(target, 'averageValue') === undefined) {
    return `${quantity(current, 'value')}/${quantityOf(target, 'value')}`
  }
  const average = textAt(current, 'averageValue') || unknownText
  return `${average}/${textAt(target, 'averageValue')} (avg)`
}

/** A quantity that is shown if there is a status. */
function quantity(current: unknown, member: string): string {
  return current === undefined ? unknownText : quantityOf(current, member)
}

/** A quantity in Go's format of a pointer. */
function quantityOf(values: unknown, member: string): string {
  return textAt(values, member) || '<nil>'
}

function percent(values: unknown, otherwise: string): string {
  const utilization = fieldAt(values, 'averageUtilization')
  return utilization === undefined ? otherwise : `${utilization}%`
}
