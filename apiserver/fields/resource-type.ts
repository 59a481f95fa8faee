import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import type { ServedResource } from '../resources/served-resource.js'
import { kindTypes } from '../schema/table.js'
import { builtInType, withKindFields } from './built-in-type.js'
import { customType } from './custom-type.js'
import { deducedType, type FieldType, type MapType } from './field-type.js'

const types = new WeakMap<ServedResource, MapType>()

/** The merge type of a resource's objects, including `kind` and `apiVersion`. */
export function resourceType(resource: ServedResource): MapType {
  const existing = types.get(resource)
  if (existing !== undefined) return existing
  const name = kindTypes[`${apiVersionOf(resource)}/${resource.kind}`]
  const type = withKindFields(name === undefined ? typeWithoutTable(resource) : builtInType(name))
  types.set(resource, type)
  return type
}

function typeWithoutTable({ custom }: ServedResource): MapType {
  return custom === undefined ? openType() : customType(custom.schema)
}

/** The type of objects of which only the metadata is known. */
function openType(): MapType {
  const metadata = builtInType('meta/v1.ObjectMeta')
  const field = (name: string): FieldType | undefined => (name === 'metadata' ? metadata : undefined)
  return { form: 'map', atomic: false, field, element: deducedType }
}
