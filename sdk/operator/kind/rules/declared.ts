import { celName } from '../schema/cel-name.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { maxEntriesOf, maxItemsOf, textLimit } from './schema-size.js'

/** The type of a value: the parts on which costs depend. */
export interface CelType {
  /** A type of CEL such as `string`, `list` or `dyn`, or one of a library such as `quantity`. */
  readonly name: string
  /** The elements of a list, the values of a map, or the value of an optional. */
  readonly element?: CelType
  /** The fields of an object, by their names in CEL. */
  readonly fields?: ReadonlyMap<string, CelType>
}

/** The type that a kube-apiserver declares for a node of a schema, with the limits of its values. */
export interface Declared extends CelType {
  /** The largest number of elements, entries or bytes. Numbers, booleans and objects have 0. */
  readonly size: number
  /** The smallest size in bytes of JSON. */
  readonly bytes: number
  readonly element?: Declared
  readonly fields?: ReadonlyMap<string, Declared>
  /** Whether the schema leaves the number of elements open. */
  readonly isOpen?: boolean
}

const textTypes: Readonly<Record<string, Pick<Declared, 'name' | 'bytes'>>> = {
  byte: { name: 'bytes', bytes: 2 },
  duration: { name: 'duration', bytes: 3 },
  date: { name: 'timestamp', bytes: 12 },
  'date-time': { name: 'timestamp', bytes: 21 },
}

/** The declaration of the keys of a map. A schema cannot limit keys, and a server counts them as empty. */
const mapKey: Declared = { name: 'string', size: 0, bytes: 2 }

/** Declares the type of a schema; `undefined` for one that CEL does not see. */
export function declare(schema: JsonSchema): Declared | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return { name: 'dyn', size: textLimit(schema), bytes: 1 }
  switch (schema.type) {
    case 'array':
      return schema.items && declareList(schema, schema.items)
    case 'object':
      return schema.additionalProperties
        ? declareMap(schema, schema.additionalProperties)
        : declareObject(schema)
    case 'string':
      return { size: textLimit(schema), ...(textTypes[schema.format ?? ''] ?? { name: 'string', bytes: 2 }) }
    case 'integer':
      return { name: 'int', size: 0, bytes: 1 }
    case 'number':
      return { name: 'double', size: 0, bytes: 1 }
    case 'boolean':
      return { name: 'bool', size: 0, bytes: 4 }
    default:
      return undefined
  }
}

function declareList({ maxItems }: JsonSchema, items: JsonSchema): Declared | undefined {
  const element = declare(items)
  const size = maxItems ?? maxItemsOf(element?.bytes ?? 0)
  return element && { name: 'list', size, bytes: 2, element, isOpen: maxItems === undefined }
}

function declareMap({ maxProperties }: JsonSchema, values: JsonSchema): Declared | undefined {
  const element = declare(values)
  const size = maxProperties ?? maxEntriesOf(element?.bytes ?? 0)
  return element && { name: 'map', size, bytes: 2, element, isOpen: maxProperties === undefined }
}

function declareObject(schema: JsonSchema): Declared {
  const { properties = {}, required = [] } =
    schema['x-kubernetes-embedded-resource'] === true ? withMetadata(schema) : schema
  const fields = new Map<string, Declared>()
  let bytes = 2
  for (const [name, field] of Object.entries(properties)) {
    const type = declare(field)
    if (type === undefined) continue
    const escapedName = celName(name)
    if (escapedName !== undefined) fields.set(escapedName, type)
    if (required.includes(name) && field.default === undefined) bytes += name.length + type.bytes + 4
  }
  return { name: 'object', size: 0, bytes, fields }
}

/** The schema of a whole object: of its metadata CEL sees the name alone. */
export function withMetadata(schema: JsonSchema): JsonSchema {
  const text: JsonSchema = { type: 'string' }
  const metadata: JsonSchema = { type: 'object', properties: { name: text, generateName: text } }
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata }
  return { ...schema, type: 'object', properties }
}

/** The declaration at the path of a value; `undefined` if there is none. */
export function declaredAt(root: Declared, path: readonly string[]): Declared | undefined {
  if (path.length === 0) return undefined
  return path.slice(1).reduce<Declared | undefined>((node, step) => {
    if (step === '@items' || step === '@values') return node?.element
    if (step === '@keys') return node?.name === 'map' ? mapKey : undefined
    return node?.fields?.get(step)
  }, root)
}
