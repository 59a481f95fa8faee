/** One node of a structural schema; see https://kep.k8s.io/1111. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly nullable?: boolean
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic'
  readonly 'x-kubernetes-validations'?: readonly Rule[]
}

/** An entry of `x-kubernetes-validations`; https://kep.k8s.io/2876 */
export interface Rule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** The schema of a member in `properties`. */
export function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  const properties = schema?.properties
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** The schema of members that are not in `properties`; undefined for `true`. */
export function additionalOf(schema: Schema | undefined): Schema | undefined {
  const additional = schema?.additionalProperties
  return typeof additional === 'object' && additional !== null ? additional : undefined
}

/** The schema of a member, from `properties` or `additionalProperties`. */
export function memberOf(schema: Schema | undefined, name: string): Schema | undefined {
  return propertyOf(schema, name) ?? additionalOf(schema)
}
