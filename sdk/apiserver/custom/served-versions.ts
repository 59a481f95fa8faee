import { fieldAt, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import { SCALE, STATUS, type Subresource } from '../resources/built-in.js'
import type { CustomColumn, ServedResource } from '../served-resource.js'
import { customRules } from './custom-rules.js'
import type { ScalePaths } from './scale-paths.js'
import type { Schema } from './schema.js'
import { servedEntries } from './served-entries.js'

/** What can be done with a custom resource, in discovery's order, which for these is another one. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** The versions that a CustomResourceDefinition serves, under the names that were accepted. */
export function servedVersions(definition: OpenObject): ServedResource[] {
  const versions = versionsOf(definition)
  const stored = schemaOf(versions.find((version) => fieldAt(version, 'storage') === true))
  return versions
    .filter((version) => fieldAt(version, 'served') === true)
    .map((version) => serve(definition, version, stored))
}

/** `spec.versions`. */
export function versionsOf(definition: OpenObject): readonly unknown[] {
  const versions = fieldAt(definition, 'spec', 'versions')
  return Array.isArray(versions) ? versions : []
}

function schemaOf(version: unknown): Schema {
  return recordOf(fieldAt(version, 'schema', 'openAPIV3Schema'))
}

function serve(definition: OpenObject, version: unknown, stored: Schema): ServedResource {
  const group = textAt(definition, 'spec', 'group')
  const names = recordOf(fieldAt(definition, 'spec', 'names'))
  const kind = String(names.kind ?? '')
  const plural = String(names.plural ?? '')
  const schema = schemaOf(version)
  const scale = scaleOf(version)
  const served = textAt(version, 'name')
  return {
    group,
    version: served,
    kind,
    plural,
    namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
    singular: String(names.singular ?? ''),
    listKind: String(names.listKind ?? ''),
    shortNames: textsOf(names.shortNames),
    categories: textsOf(names.categories),
    verbs: CUSTOM_VERBS,
    subresources: subresourcesOf(version),
    storage: `${plural}.${group}`,
    rules: customRules({ group, version: served, kind, schema, scale }),
    custom: { columns: columnsOf(version), schema, scale, shown: servedEntries({ stored, served: schema }) },
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function scaleOf(version: unknown): ScalePaths | undefined {
  const scale = fieldAt(version, 'subresources', 'scale')
  if (scale === undefined || scale === null) return undefined
  const labelSelectorPath = textAt(scale, 'labelSelectorPath')
  return {
    specReplicasPath: textAt(scale, 'specReplicasPath'),
    statusReplicasPath: textAt(scale, 'statusReplicasPath'),
    ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
  }
}

function subresourcesOf(version: unknown): Subresource[] {
  const asked = recordOf(fieldAt(version, 'subresources'))
  const parts: Subresource[] = []
  if (asked.status !== undefined) parts.push(STATUS)
  if (asked.scale !== undefined) parts.push(SCALE)
  return parts
}

function columnsOf(version: unknown): CustomColumn[] {
  const asked = fieldAt(version, 'additionalPrinterColumns')
  return Array.isArray(asked) ? (asked as unknown as CustomColumn[]) : []
}
