import type { Resource } from '../../kube/resource.js'
import { type ListStrategy, type Struct, structNamed, structOf } from '../schema/schema.js'

/** Tells how the list at a path (field names, indices left out) of a kind is merged; nothing means as a whole. */
export type ListStrategies = (path: readonly string[]) => ListStrategy | undefined

/** The list strategies of a built-in kind, as its Go type declares them; none for a kind without one. */
export function listStrategiesOf(resource: Pick<Resource, 'group' | 'version' | 'kind'>): ListStrategies {
  const struct = structOf(resource)
  return (path) => (struct === undefined ? undefined : strategyAt(struct, path))
}

function strategyAt(struct: Struct, [name = '', ...rest]: readonly string[]): ListStrategy | undefined {
  const field = struct.byName.get(name)
  if (field === undefined || rest.length === 0) return field?.merge
  let { type } = field
  let below = rest
  while (type.form === 'list' || type.form === 'map') {
    if (type.form === 'map') below = below.slice(1)
    type = type.of
  }
  return type.form === 'struct' ? strategyAt(structNamed(type.name), below) : undefined
}
