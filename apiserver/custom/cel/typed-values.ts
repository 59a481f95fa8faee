import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { ownEntry } from '../../base/own-entry.js'
import { additionalOf, type Schema } from '../../schema/structural-schema.js'
import { readDateTime, readDuration } from '../timed-texts.js'
import { type CelEnvironment, celLibrary } from './cel-library.js'
import { celConcat, celEqual, type ListKind, setListKind } from './equality.js'
import { Comparable, keyOfMap } from './equality-key.js'
import { escapedName, isKeyword } from './property-names.js'

/** The CEL type of a schema's values: its name, and the conversion from JSON. */
export interface ValueType {
  readonly name: string
  of(json: unknown): unknown
}

interface Field {
  /** The property's own name. */
  readonly property: string
  readonly type: ValueType
}

type Fields = ReadonlyMap<string, Field>

const read = Symbol('read')

/** An object with declared fields. A field is converted when a rule reads it, because most are never read. */
abstract class Structure extends Comparable {
  readonly #json: Readonly<Record<string, unknown>>
  readonly #fields: Fields
  readonly #valuesByText = new Map<string, unknown>()

  constructor(json: Readonly<Record<string, unknown>>, fields: Fields) {
    super()
    this.#json = json
    this.#fields = fields
  }

  [read](name: string): unknown {
    if (this.#valuesByText.has(name)) return this.#valuesByText.get(name)
    const field = this.#fields.get(name)
    if (field === undefined || !Object.hasOwn(this.#json, field.property)) return undefined
    const json = this.#json[field.property]
    // A field that is null counts as missing.
    const value = json === null ? undefined : field.type.of(json)
    this.#valuesByText.set(name, value)
    return value
  }

  override equals(other: unknown): boolean {
    if (!(other instanceof Structure) || !jsonEqual(this.#rest(), other.#rest())) return false
    return [...this.#fields.keys()].every((name) => celEqual(this[read](name), other[read](name)))
  }

  override get equalityKey(): string {
    const present = [...this.#fields.keys()].filter((name) => this[read](name) !== undefined)
    return keyOfMap(new Map(present.map((name) => [name, this[read](name)])))
  }

  /** The fields that rules cannot name. */
  #rest(): object {
    const declaredNames = new Set([...this.#fields.values()].map(({ property }) => property))
    return Object.fromEntries(Object.entries(this.#json).filter(([name]) => !declaredNames.has(name)))
  }
}

const stringType = scalar('string')
const rootFields: readonly (readonly [string, Field])[] = [
  ['apiVersion', { property: 'apiVersion', type: stringType }],
  ['kind', { property: 'kind', type: stringType }],
]
const metadata: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}

/**
 * Declares the types of one schema in an environment, as `pkg/cel/common/schemas.go` of k8s.io/apiserver
 * v0.36.3 does. Values without a type in the schema are not declared, so rules cannot use them.
 */
export class TypeDeclarations {
  readonly #environment: CelEnvironment
  readonly #typesBySchema = new Map<Schema, ValueType | undefined>()
  readonly #operators = new Set<string>()
  #objects = 0

  readonly #hasListKinds: boolean

  /**
   * `environment` must not have been copied yet. With `hasListKinds`, sets and map lists have their own
   * comparison and concatenation; the library then does not support empty list literals.
   */
  constructor(environment: CelEnvironment, hasListKinds: boolean) {
    this.#environment = environment
    this.#hasListKinds = hasListKinds
  }

  /** The type of a schema's values; `isRoot` for whole resources, which have a kind and a name. */
  typeOf(schema: Schema, isRoot = schema['x-kubernetes-embedded-resource'] === true): ValueType | undefined {
    if (this.#typesBySchema.has(schema)) return this.#typesBySchema.get(schema)
    const type = this.#declare(schema, isRoot)
    this.#typesBySchema.set(schema, type)
    return type
  }

  #declare(schema: Schema, isRoot: boolean): ValueType | undefined {
    if (schema['x-kubernetes-int-or-string'] === true) return intOrString
    if (schema.type === 'array') return this.#listOf(schema)
    if (schema.type !== 'object') return TypeDeclarations.#scalarOf(schema)
    const additional = additionalOf(schema)
    if (additional !== undefined) return mapOf(nullable(additional, this.typeOf(additional)))
    return this.#objectOf(schema, isRoot)
  }

  static #scalarOf({ type = '', format = '' }: Schema): ValueType | undefined {
    return type === 'string' ? (ownEntry(formattedStrings, format) ?? stringType) : scalars[type]
  }

  #listOf(schema: Schema): ValueType | undefined {
    const { items } = schema
    const item = items === undefined ? undefined : nullable(items, this.typeOf(items))
    if (item === undefined) return undefined
    const kind = this.#hasListKinds ? kindOf(schema) : undefined
    const name = `list<${item.name}>`
    if (kind !== undefined) {
      this.#operator(`${name} == ${name}: bool`, celEqual)
      this.#operator(`${name} + ${name}: ${name}`, celConcat as (a: unknown, b: unknown) => unknown)
    }
    const elements = (json: unknown) => (Array.isArray(json) ? json.map((each) => item.of(each)) : json)
    return {
      name,
      of: (json) => (Array.isArray(json) ? setListKind(elements(json) as unknown[], kind) : json),
    }
  }

  #objectOf({ properties = {} }: Schema, isRoot: boolean): ValueType {
    const isComplete = hasAll(properties.metadata, metadata)
    const fields = new Map<string, Field>(isRoot ? rootFields : [])
    if (isRoot) fields.set('metadata', { property: 'metadata', type: this.#objectOf(metadata, false) })
    for (const [property, schema] of Object.entries(properties)) {
      if (isRoot && property === 'metadata' && !isComplete) continue
      const name = escapedName(property)
      const type = this.typeOf(schema)
      // The library finds the type of a value by its `constructor`.
      if (name === undefined || type === undefined || name === 'constructor') continue
      fields.set(name, { property, type })
      if (isKeyword(property)) fields.set(property, { property, type })
    }
    return this.#register(fields)
  }

  #register(fields: Fields): ValueType {
    const name = `Object${this.#objects++}`
    const structure = structureClass(fields)
    const types = Object.fromEntries([...fields].map(([field, { type }]) => [field, type.name]))
    this.#environment.registerType(name, { ctor: structure, fields: types })
    this.#operator(`${name} == ${name}: bool`, celEqual)
    this.#operator(`${name} == null: bool`, () => false)
    return { name, of: (json) => (isJsonObject(json) ? new structure(json) : json) }
  }

  /** A schema may use lists of one type several times. */
  #operator(signature: string, handler: (left: unknown, right: unknown) => unknown): void {
    if (this.#operators.has(signature)) return
    this.#operators.add(signature)
    this.#environment.registerOperator(signature, handler)
  }
}

/** Whether a schema has all the properties of another. */
function hasAll(schema: Schema | undefined, { properties = {} }: Schema): boolean {
  return Object.keys(properties).every((name) => schema?.properties?.[name] !== undefined)
}

function structureClass(fields: Fields): new (json: Readonly<Record<string, unknown>>) => Structure {
  const structure = class extends Structure {
    constructor(json: Readonly<Record<string, unknown>>) {
      super(json, fields)
    }
  }
  for (const name of fields.keys()) {
    Object.defineProperty(structure.prototype, name, {
      get(this: Structure) {
        return this[read](name)
      },
    })
  }
  return structure
}

function kindOf(schema: Schema): ListKind | undefined {
  const type = schema['x-kubernetes-list-type']
  if (type !== 'set' && type !== 'map') return undefined
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).flatMap((key) => escapedName(key) ?? [])
  return { type, keys }
}

function mapOf(value: ValueType | undefined): ValueType | undefined {
  if (value === undefined) return undefined
  const entries = (json: Readonly<Record<string, unknown>>) =>
    Object.entries(json).map(([key, member]) => [key, value.of(member)] as const)
  return {
    name: `map<string, ${value.name}>`,
    of: (json) => (isJsonObject(json) ? new Map(entries(json)) : json),
  }
}

/** The type of elements and members that may be null is known only from the value. */
function nullable(schema: Schema, type: ValueType | undefined): ValueType | undefined {
  return type === undefined || schema.nullable !== true
    ? type
    : { name: 'dyn', of: (json) => orNull(json, type) }
}

const orNull = (json: unknown, type: ValueType) => (json === null ? null : type.of(json))

function scalar(name: string, of: (json: unknown) => unknown = (json) => json): ValueType {
  return { name, of }
}

/** An integer is a bigint in CEL. The schema reports a value that is not an integer. */
const integerOf = (json: unknown) => (Number.isInteger(json) ? BigInt(json as number) : json)

const intOrString = scalar('dyn', integerOf)
const scalars: Readonly<Record<string, ValueType>> = {
  boolean: scalar('bool'),
  integer: scalar('int', integerOf),
  number: scalar('double', (json) => (typeof json === 'bigint' ? Number(json) : json)),
}
const timestamp = scalar('google.protobuf.Timestamp', (json) => new Date(String(json)))
const dateTime = scalar('google.protobuf.Timestamp', (json) => readDateTime(String(json)))
const formattedStrings: Readonly<Record<string, ValueType>> = {
  byte: scalar('bytes', (json) => Buffer.from(String(json), 'base64')),
  date: timestamp,
  'date-time': dateTime,
  duration: scalar('google.protobuf.Duration', (json) =>
    celLibrary().evaluate('duration(text)', { text: `${readDuration(String(json))}ns` }),
  ),
}
