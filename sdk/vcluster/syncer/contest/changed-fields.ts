import omit from 'lodash/omit.js'
import { formatFieldPath } from '../../../engine/kube/field-path.js'
import { differences } from '../../../engine/kube/json-patch/differences.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { isOwnershipKey } from '../../naming/ownership-keys.js'

const maxDepth = 6
const maxPaths = 10
const notContent = ['apiVersion', 'kind', 'metadata', 'status']

/**
 * The paths of the fields in which a copy differs from the wanted copy, without values, which may be secret. A list is
 * one path. `CopyContest` names these fields in its messages.
 */
export function changedFields(copy: KubeObject, wanted: KubeObject): string[] {
  const content = differences(omit(copy, notContent), omit(wanted, notContent), {
    maxDepth,
    nullIsAbsent: true,
  })
  const paths = [
    ...content.map(({ path }) => formatFieldPath(path)),
    ...metadataPaths('labels', copy, wanted),
    ...metadataPaths('annotations', copy, wanted),
  ]
  return paths.slice(0, maxPaths)
}

/** The paths of the fields in which two states of a status differ. */
export function changedStatus(before: unknown, after: unknown): string[] {
  const found = differences({ status: before }, { status: after }, { maxDepth, nullIsAbsent: true })
  return found.slice(0, maxPaths).map(({ path }) => formatFieldPath(path))
}

/** The paths of changed labels or annotations, without ownership keys, which change together with other fields. */
function metadataPaths(map: 'labels' | 'annotations', copy: KubeObject, wanted: KubeObject): string[] {
  const [before = {}, after = {}] = [copy.metadata[map], wanted.metadata[map]]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter((key) => before[key] !== after[key] && !isOwnershipKey(key))
    .map((key) => `metadata.${map}["${key}"]`)
}
