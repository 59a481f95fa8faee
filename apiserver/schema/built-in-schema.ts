import { type Field, type Struct, structNamed, type ValueType } from './schema.js'
import type { Schema } from './structural-schema.js'

/** A value of any type. */
const anything: Schema = { 'x-kubernetes-int-or-string': true }

const scalars: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  quantity: { type: 'string' },
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
}

const schemasByStruct = new Map<Struct, Schema>()

/** The structural schema of a built-in type. A type inside itself may have any value. */
export function structuralSchemaOf(struct: Struct, around: readonly Struct[] = []): Schema {
  if (around.includes(struct)) return anything
  const cached = schemasByStruct.get(struct)
  if (cached !== undefined) return cached
  const within = [...around, struct]
  const properties = [...struct.byName.values()].map(({ name, type }: Field) => [
    name,
    schemaOfType(type, within),
  ])
  const schema: Schema = { type: 'object', properties: Object.fromEntries(properties) }
  schemasByStruct.set(struct, schema)
  return schema
}

function schemaOfType(type: ValueType, around: readonly Struct[]): Schema {
  if (type.form === 'list') return { type: 'array', items: schemaOfType(type.of, around) }
  if (type.form === 'map') return { type: 'object', additionalProperties: schemaOfType(type.of, around) }
  if (type.form === 'struct') return structuralSchemaOf(structNamed(type.name), around)
  return scalars[type.form] ?? anything
}
