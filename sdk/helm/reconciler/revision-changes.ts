import countBy from 'lodash/countBy.js'
import type { RevisionChangeView } from '../../engine/inspector/release-view.js'
import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import { formatFieldPath } from '../../engine/kube/field-path.js'
import { differences } from '../../engine/kube/json-patch/differences.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { objectsOf } from '../render/manifest.js'

/** The maximum numbers of named objects, and of named fields of one object. */
const maxNamed = { objects: 50, fields: 12 }

/**
 * The objects in which the manifests of two revisions differ, with the paths of the fields. Values are left out,
 * because they may be secrets.
 */
export async function revisionChanges(before: string, after: string): Promise<RevisionChangeView[]> {
  const [objectsBefore, objectsAfter] = [await byFullName(before), await byFullName(after)]
  const names = [...new Set([...objectsBefore.keys(), ...objectsAfter.keys()])]
  const nameCounts = countBy(names, withoutGroup)
  const shownName = (name: string) => (nameCounts[withoutGroup(name)] === 1 ? withoutGroup(name) : name)
  return names
    .flatMap((name) => changeOf(shownName(name), objectsBefore.get(name), objectsAfter.get(name)) ?? [])
    .slice(0, maxNamed.objects)
}

/** The change of one object between two revisions; undefined if there is none. */
function changeOf(object: string, before: unknown, after: unknown): RevisionChangeView | undefined {
  if (before === undefined) return { object, what: 'added', fields: [] }
  if (after === undefined) return { object, what: 'removed', fields: [] }
  const fieldChanges = differences(before, after, { lists: 'aligned', maxCount: maxNamed.fields })
  if (fieldChanges.length === 0) return undefined
  return { object, what: 'changed', fields: fieldChanges.map(({ path }) => formatFieldPath(path)) }
}

/** The objects of a manifest by kind, group and name, as the chart wrote them. */
async function byFullName(manifest: string): Promise<Map<string, unknown>> {
  const objects = await objectsOf(manifest)
  return new Map(objects.map(({ object }) => [fullName(object), object] as const))
}

/** `Deployment.apps web`: kinds of several groups may have one name. */
function fullName(object: KubeObject): string {
  const group = groupOfApiVersion(object.apiVersion)
  return `${object.kind}${group && `.${group}`} ${formatKey(keyOf(object))}`
}

const withoutGroup = (name: string) => name.replace(/^([^. ]+)\.\S+/, '$1')
