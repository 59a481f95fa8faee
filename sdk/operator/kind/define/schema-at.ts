import type { JsonSchema } from '../schema/json-schema.js'

/** The metadata that columns may show. */
const metadata: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

/**
 * The node at a simple path such as `.spec.size`; `undefined` if the schema has no such field. A path with a filter or
 * an index is followed up to there.
 */
export function schemaAt(root: JsonSchema, path: string): JsonSchema | undefined {
  const simple = /^(\.[^.[\]()]+)+/.exec(path)?.[0] ?? ''
  const isWhole = simple === path
  let node: JsonSchema | undefined = root
  for (const name of simple.split('.').slice(1)) {
    if (node === undefined || isOpen(node)) return node && anything
    node = fieldOf(node, name, node === root)
  }
  return isWhole ? node : node && anything
}

const isOpen = (node: JsonSchema) => node['x-kubernetes-preserve-unknown-fields'] === true

function fieldOf(node: JsonSchema, name: string, isRoot: boolean): JsonSchema | undefined {
  if (isRoot && name === 'metadata') return metadata
  const { properties = {}, additionalProperties } = node
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties
}
