import { jsonEqual } from '../../../engine/kube/json.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { compareChecks } from './compare-checks.js'
import type { DefinitionDifference } from './definition-difference.js'

/** The place of a node in both schemas: the version of the kind, and the path of the field. */
export interface ComparedNode {
  readonly version: string
  readonly path: string
  /**
   * Whether the API server accepts an invalid part of a value here as long as an update does not change the part.
   * Kubernetes 1.30 and later do so everywhere except inside lists whose type is not `map`.
   */
  readonly isRatcheted: boolean
}

/** The schema of one node before and after a change of the definition. */
export interface NodePair {
  readonly before: JsonSchema
  readonly after: JsonSchema
}

/** Compares the schemas of one version of a kind before and after a change. */
export function compareSchemas(pair: NodePair, node: ComparedNode): DefinitionDifference[] {
  if (typeOf(pair.before) !== typeOf(pair.after)) {
    const message = `the type changes from ${typeOf(pair.before)} to ${typeOf(pair.after)}; add a version with a conversion`
    return [errorAt(node, message)]
  }
  return [
    ...compareShape(pair, node),
    ...compareChecks(pair, node),
    ...compareFields(pair, node),
    ...compareElements(pair, node),
  ]
}

const errorAt = ({ version, path }: ComparedNode, message: string): DefinitionDifference => ({
  level: 'error',
  version,
  path,
  message,
})

function typeOf(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string'
  return schema.type ?? 'anything'
}

/** The members that decide how values are stored, merged and read. */
function compareShape({ before, after }: NodePair, node: ComparedNode): DefinitionDifference[] {
  const differences: DefinitionDifference[] = []
  const [listBefore, listAfter] = [listTypeOf(before), listTypeOf(after)]
  if (listBefore !== listAfter) {
    differences.push(
      errorAt(
        node,
        `the list type changes from ${listBefore} to ${listAfter}, which changes who owns elements`,
      ),
    )
  }
  const [mapBefore, mapAfter] = [before, after].map((one) => one['x-kubernetes-map-type'] ?? 'granular')
  if (mapBefore !== mapAfter) {
    differences.push(
      errorAt(node, `the map type changes from ${mapBefore} to ${mapAfter}, which changes who owns fields`),
    )
  }
  if (before.nullable === true && after.nullable !== true) {
    differences.push(errorAt(node, 'null is not allowed any more'))
  }
  if (isOpen(before) && !isOpen(after))
    differences.push(errorAt(node, 'unknown fields are pruned from now on'))
  return [...differences, ...compareDefault({ before, after }, node)]
}

const isOpen = (schema: JsonSchema) => schema['x-kubernetes-preserve-unknown-fields'] === true

function listTypeOf(schema: JsonSchema): string {
  const keys = schema['x-kubernetes-list-map-keys']?.join(', ')
  const type = schema['x-kubernetes-list-type'] ?? 'atomic'
  return keys === undefined ? type : `${type} by ${keys}`
}

function compareDefault({ before, after }: NodePair, node: ComparedNode): DefinitionDifference[] {
  if (jsonEqual(before.default, after.default)) return []
  const [old, now] = [before.default, after.default].map((value) => JSON.stringify(value))
  const level = old === undefined ? 'warning' : 'error'
  const changeText =
    old === undefined ? `a default of ${now} is added` : `the default changes from ${old} to ${now ?? 'none'}`
  return [{ ...errorAt(node, `${changeText}, and objects without the field read differently`), level }]
}

function compareFields({ before, after }: NodePair, node: ComparedNode): DefinitionDifference[] {
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const child = { ...node, path: `${node.path}.${name}` }
    const now = fieldOf(after, name)
    if (now !== undefined) return compareSchemas({ before: schema, after: now }, child)
    return isOpen(after) ? [] : [errorAt(child, 'the field is removed, and its values are pruned')]
  })
  return [...fields, ...compareRequired({ before, after }, node)]
}

const fieldOf = ({ properties = {}, additionalProperties }: JsonSchema, name: string) =>
  Object.hasOwn(properties, name) ? properties[name] : additionalProperties

function compareRequired({ before, after }: NodePair, node: ComparedNode): DefinitionDifference[] {
  const added = (after.required ?? []).filter((name) => !before.required?.includes(name))
  const missing = added.filter((name) => after.properties?.[name]?.default === undefined)
  return missing.map((name) =>
    errorAt(
      { ...node, path: `${node.path}.${name}` },
      'the field is required from now on; give it a default',
    ),
  )
}

function compareElements({ before, after }: NodePair, node: ComparedNode): DefinitionDifference[] {
  const isMapList = before['x-kubernetes-list-type'] === 'map'
  const items = { ...node, path: `${node.path}[]`, isRatcheted: node.isRatcheted && isMapList }
  const itemDifferences =
    before.items && after.items ? compareSchemas({ before: before.items, after: after.items }, items) : []
  if (before.additionalProperties === undefined) return itemDifferences
  const values = { ...node, path: `${node.path}{}` }
  if (after.additionalProperties === undefined) {
    return isOpen(after)
      ? itemDifferences
      : [...itemDifferences, errorAt(values, 'the entries of the map are pruned from now on')]
  }
  return [
    ...itemDifferences,
    ...compareSchemas({ before: before.additionalProperties, after: after.additionalProperties }, values),
  ]
}
