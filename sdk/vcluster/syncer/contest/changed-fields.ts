import omit from 'lodash/omit.js'
import partition from 'lodash/partition.js'
import { formatFieldPath } from '../../../engine/kube/field-path.js'
import { differences } from '../../../engine/kube/json-patch/differences.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { isOwnershipKey, lastSyncedAnnotation } from '../../naming/ownership-keys.js'

const maxDepth = 6
const maxPaths = 10
const notContent = ['apiVersion', 'kind', 'metadata', 'status']

/**
 * The paths of the fields in which a copy differs from the wanted copy, without values, which may be secret. A list is
 * one path. Ownership keys change together with other fields, so they are named only if nothing else differs, and the
 * annotation with the last synced state only if no other ownership key does.
 * `CopyContest` names these fields in its messages.
 */
export function changedFields(copy: KubeObject, wanted: KubeObject): string[] {
  const [ownership, others] = partition(changedMetadata(copy, wanted), ({ key }) => isOwnershipKey(key))
  const [states, ownershipKeys] = partition(ownership, ({ key }) => key === lastSyncedAnnotation)
  const content = [...changedContent(copy, wanted), ...others.map(pathOf)]
  const named =
    [content, ownershipKeys.map(pathOf), states.map(pathOf)].find((paths) => paths.length > 0) ?? []
  return named.slice(0, maxPaths)
}

/** The paths of all fields in which a copy differs from the wanted copy, ownership keys included. */
export function allChangedFields(copy: KubeObject, wanted: KubeObject): string[] {
  return [...changedContent(copy, wanted), ...changedMetadata(copy, wanted).map(pathOf)]
}

/** Whether a copy has the wanted content, labels and annotations; only ownership keys may differ. */
export const changesOnlyOwnership = (copy: KubeObject, wanted: KubeObject): boolean =>
  changedContent(copy, wanted).length === 0 &&
  changedMetadata(copy, wanted).every(({ key }) => isOwnershipKey(key))

/** The paths of the fields in which two states of a status differ. */
export function changedStatus(before: unknown, after: unknown): string[] {
  const found = differences({ status: before }, { status: after }, { maxDepth, nullIsAbsent: true })
  return found.slice(0, maxPaths).map(({ path }) => formatFieldPath(path))
}

/** A label or an annotation. */
interface MetadataKey {
  readonly map: 'labels' | 'annotations'
  readonly key: string
}

const pathOf = ({ map, key }: MetadataKey) => `metadata.${map}["${key}"]`

/** The paths of the fields outside of metadata and status that differ. */
function changedContent(copy: KubeObject, wanted: KubeObject): string[] {
  const options = { maxDepth, nullIsAbsent: true }
  const found = differences(omit(copy, notContent), omit(wanted, notContent), options)
  return found.map(({ path }) => formatFieldPath(path))
}

/** The labels and annotations that differ. */
const changedMetadata = (copy: KubeObject, wanted: KubeObject) => [
  ...changedKeys('labels', copy, wanted),
  ...changedKeys('annotations', copy, wanted),
]

/** The path of the annotation with the last synced state. */
export const lastSyncedField = pathOf({ map: 'annotations', key: lastSyncedAnnotation })

/** The labels or annotations that differ. */
function changedKeys(map: MetadataKey['map'], copy: KubeObject, wanted: KubeObject): MetadataKey[] {
  const [before = {}, after = {}] = [copy.metadata[map], wanted.metadata[map]]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.filter((key) => before[key] !== after[key]).map((key) => ({ map, key }))
}
