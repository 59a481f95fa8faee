import { jsonEqual } from '../../sdk/kube/json.js'
import type { OpenObject } from '../base/object.js'
import { hasStatus, type ServedResource } from '../resources/served-resource.js'

/** Gives the new state a field of the old one, or takes it away if the old one has none. */
export function carryField(next: OpenObject, before: OpenObject, field: string): void {
  if (before[field] === undefined) delete next[field]
  else next[field] = before[field]
}

/** Metadata fields that only the server sets. */
const SERVER_SET = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
] as const

/** Gives the new state the metadata that only the server sets, and counts its generation. */
export function carryMetadata(next: OpenObject, before: OpenObject, resource: ServedResource): void {
  const carried = Object.fromEntries(SERVER_SET.map((field) => [field, before.metadata[field]]))
  Object.assign(next.metadata, carried)
  for (const field of SERVER_SET) if (next.metadata[field] === undefined) delete next.metadata[field]
  const { generation } = resource.rules
  const counted = generation && COUNTED_METADATA[String(generation)]
  const relabelled = counted && !jsonEqual(next.metadata[counted] ?? {}, before.metadata[counted] ?? {})
  if (
    generation &&
    generation !== 'constant' &&
    (relabelled || wishChanged(next, before, hasStatus(resource)))
  ) {
    next.metadata.generation = (before.metadata.generation ?? 0) + 1
  }
}

/** The metadata whose changes count as a new generation, by the rule of the kind. */
const COUNTED_METADATA: Readonly<Record<string, 'labels' | 'annotations'>> = {
  'with labels': 'labels',
  'with annotations': 'annotations',
}

/** Whether anything but the metadata differs, and but the status if `ignoreStatus`. */
function wishChanged(next: OpenObject, before: OpenObject, ignoreStatus: boolean): boolean {
  const names = new Set([...Object.keys(next), ...Object.keys(before)])
  names.delete('metadata')
  if (ignoreStatus) names.delete('status')
  return [...names].some((name) => !jsonEqual(next[name], before[name]))
}
