import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { OpenObject } from '../base/object.js'
import { hasStatus } from '../resources/served-resource.js'
import type { Part } from './merge-parts.js'

/** Copies a field of the old state to the new one, or removes it if the old state does not have it. */
export function carryField(next: OpenObject, before: OpenObject, field: string): void {
  if (before[field] === undefined) delete next[field]
  else next[field] = before[field]
}

/** Metadata fields that only the server sets. */
const serverSetFields = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
] as const

/**
 * Gives the new state of an object or of a part of it the metadata that only the server sets, and counts its
 * generation.
 */
export function carryMetadata(next: OpenObject, before: OpenObject, { resource, subresource }: Part): void {
  const carried = Object.fromEntries(serverSetFields.map((field) => [field, before.metadata[field]]))
  Object.assign(next.metadata, carried)
  for (const field of serverSetFields) if (next.metadata[field] === undefined) delete next.metadata[field]
  const { generation } = resource.rules.metadata ?? {}
  const counted = generation && subresource !== 'status' && countedMetadata[String(generation)]
  const relabelled = counted && !jsonEqual(next.metadata[counted] ?? {}, before.metadata[counted] ?? {})
  if (
    generation &&
    generation !== 'constant' &&
    (relabelled || desiredStateChanged(next, before, hasStatus(resource)))
  ) {
    next.metadata.generation = (before.metadata.generation ?? 0) + 1
  }
}

/** The metadata whose changes increase the generation, by the rule of the kind. */
const countedMetadata: Readonly<Record<string, 'labels' | 'annotations'>> = {
  'with labels': 'labels',
  'with annotations': 'annotations',
}

/** Whether anything but the metadata differs, and but the status if `ignoreStatus`. */
function desiredStateChanged(next: OpenObject, before: OpenObject, ignoreStatus: boolean): boolean {
  const names = new Set([...Object.keys(next), ...Object.keys(before)])
  names.delete('metadata')
  if (ignoreStatus) names.delete('status')
  return [...names].some((name) => !jsonEqual(next[name], before[name]))
}
