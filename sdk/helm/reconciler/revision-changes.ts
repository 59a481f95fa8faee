import type { RevisionChangeView } from '../../engine/inspector/release-view.js'
import { formatFieldPath } from '../../engine/kube/field-path.js'
import { differences } from '../../engine/kube/json-patch/differences.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import { objectsOf } from '../render/manifest.js'

/** The most objects, and fields of one object, that are named. */
const max = { objects: 50, fields: 12 }

/**
 * The objects in which the manifests of two revisions differ, with the paths of the fields. Values are left out,
 * because they may be secrets.
 */
export async function revisionChanges(before: string, after: string): Promise<RevisionChangeView[]> {
  const [old, next] = [await byName(before), await byName(after)]
  const names = [...new Set([...old.keys(), ...next.keys()])]
  return names
    .flatMap((object) => changeOf(object, old.get(object), next.get(object)) ?? [])
    .slice(0, max.objects)
}

function changeOf(object: string, before: unknown, after: unknown): RevisionChangeView | undefined {
  if (before === undefined) return { object, what: 'added', fields: [] }
  if (after === undefined) return { object, what: 'removed', fields: [] }
  const found = differences(before, after, { lists: 'aligned', maxCount: max.fields })
  if (found.length === 0) return undefined
  return { object, what: 'changed', fields: found.map(({ path }) => formatFieldPath(path)) }
}

/** The objects of a manifest by kind and name, as the chart wrote them. */
async function byName(manifest: string): Promise<Map<string, unknown>> {
  const objects = await objectsOf(manifest)
  return new Map(objects.map(({ object }) => [`${object.kind} ${formatKey(keyOf(object))}`, object] as const))
}
