import type { ServedResource } from '../resources/served-resource.js'
import { builtInType } from './built-in-type.js'
import type { MapType } from './field-type.js'
import { resourceType } from './resource-type.js'

/** Metadata without an owner: it identifies the object, or only the server writes it. */
const NOT_OWNED = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'generation',
  'managedFields',
  'resourceVersion',
])

const KIND = new Set(['kind', 'apiVersion'])

const METADATA: MapType = { ...builtInType('meta/v1.ObjectMeta'), hidden: NOT_OWNED }

const types = new WeakMap<ServedResource, MapType>()

/**
 * The fields of a resource's objects that can be owned; for exceptions see `stripmeta.go` of apimachinery.
 */
export function trackedType(resource: ServedResource): MapType {
  const known = types.get(resource)
  if (known !== undefined) return known
  const whole = resourceType(resource)
  const field = (name: string) => (name === 'metadata' ? METADATA : whole.field(name))
  const type = { ...whole, field, hidden: KIND }
  types.set(resource, type)
  return type
}
