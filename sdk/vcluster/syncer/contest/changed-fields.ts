import { jsonEqual } from '../../../engine/kube/json.js'
import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { isOwnershipKey } from '../../naming/ownership-keys.js'

const deepest = 6
const maxPaths = 10
const notContent: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/**
 * The paths of the fields in which a copy differs from what it is to be, without values, which may be secret. A list is
 * one path.
 */
export function changedFields(copy: KubeObject, wanted: KubeObject): string[] {
  const names = new Set([...Object.keys(copy), ...Object.keys(wanted)])
  const content = [...names].filter((name) => !notContent.has(name))
  const [before, after] = [copy, wanted].map((object) => new Map(Object.entries(object)))
  const paths = [
    ...content.flatMap((name) => differences(before?.get(name), after?.get(name), name)),
    ...metadataPaths('labels', copy, wanted),
    ...metadataPaths('annotations', copy, wanted),
  ]
  return paths.slice(0, maxPaths)
}

/** The ownership labels and annotations follow the others. */
function metadataPaths(map: 'labels' | 'annotations', copy: KubeObject, wanted: KubeObject): string[] {
  const [before = {}, after = {}] = [copy.metadata[map], wanted.metadata[map]]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter((key) => before[key] !== after[key] && !isOwnershipKey(key))
    .map((key) => `metadata.${map}["${key}"]`)
}

function differences(before: unknown, after: unknown, path: string, depth = 1): string[] {
  if (jsonEqual(before ?? null, after ?? null)) return []
  if (depth === deepest || !isJsonObject(before) || !isJsonObject(after)) return [path]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => differences(before[name], after[name], pathOf(path, name), depth + 1))
}

const pathOf = (path: string, name: string) =>
  /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}["${name}"]`
