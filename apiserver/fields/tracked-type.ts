import type { ServedResource } from '../resources/served-resource.js'
import { builtInType } from './built-in-type.js'
import type { MapType } from './field-type.js'
import { resourceType } from './resource-type.js'

/** Metadata without an owner: it identifies the object, or only the server writes it. */
const notOwned = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'generation',
  'managedFields',
  'resourceVersion',
])

const kind = new Set(['kind', 'apiVersion'])

const metadata: MapType = { ...builtInType('meta/v1.ObjectMeta'), hidden: notOwned }

const types = new WeakMap<ServedResource, MapType>()

/**
 * The fields of a resource's objects that can be owned; for exceptions see `stripmeta.go` of apimachinery.
 */
export function trackedType(resource: ServedResource): MapType {
  const existing = types.get(resource)
  if (existing !== undefined) return existing
  const wholeType = resourceType(resource)
  const field = (name: string) => (name === 'metadata' ? metadata : wholeType.field(name))
  const type = { ...wholeType, field, hidden: kind }
  types.set(resource, type)
  return type
}
