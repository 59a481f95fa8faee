import { apiVersionOf } from '../../sdk/kube/resource.js'
import type { ServedResource } from '../resources/served-resource.js'
import { kindTypes } from '../schema/table.js'
import { builtInType, withKindFields } from './built-in-type.js'
import { customType } from './custom-type.js'
import { DEDUCED, type FieldType, type MapType } from './field-type.js'

const types = new WeakMap<ServedResource, MapType>()

/** How the objects of a resource are merged; as whole objects, `kind` and `apiVersion` among their fields. */
export function resourceType(resource: ServedResource): MapType {
  const known = types.get(resource)
  if (known !== undefined) return known
  const name = kindTypes[`${apiVersionOf(resource)}/${resource.kind}`]
  const type = withKindFields(name === undefined ? typeWithoutTable(resource) : builtInType(name))
  types.set(resource, type)
  return type
}

function typeWithoutTable({ custom }: ServedResource): MapType {
  return custom === undefined ? openType() : customType(custom.schema)
}

/** Objects of which only the metadata is known. */
function openType(): MapType {
  const metadata = builtInType('meta/v1.ObjectMeta')
  const field = (name: string): FieldType | undefined => (name === 'metadata' ? metadata : undefined)
  return { form: 'map', atomic: false, field, element: DEDUCED }
}
