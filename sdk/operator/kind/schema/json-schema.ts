/**
 * One node of a structural schema: the members of `JSONSchemaProps` that `defineKind` writes.
 *
 * See
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export interface JsonSchema {
  description?: string
  type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string'
  format?: string
  nullable?: boolean
  default?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema
  items?: JsonSchema
  required?: string[]
  minProperties?: number
  maxProperties?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  /**
   * Further checks of the value. They contain no `type`, because a structural schema declares types outside `allOf`.
   */
  allOf?: JsonSchema[]
  'x-kubernetes-preserve-unknown-fields'?: true
  'x-kubernetes-embedded-resource'?: true
  'x-kubernetes-int-or-string'?: true
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-map-type'?: 'atomic'
  'x-kubernetes-validations'?: CelRule[]
}

/**
 * One CEL rule of a schema, an element of `x-kubernetes-validations`.
 *
 * See https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export interface CelRule {
  /** The expression. `self` is the value that the rule belongs to, `oldSelf` its former value. */
  readonly rule: string
  /** The message of a refusal. Default: the API server quotes the expression. */
  readonly message?: string
  /** An expression that returns the message. Its cost is limited like that of `rule`. Default none. */
  readonly messageExpression?: string
  /** The machine-readable reason. Default `FieldValueInvalid`. */
  readonly reason?: CelReason
  /** The field that the error names, relative to `self`, for example `.disk.size`. Default: `self`. */
  readonly fieldPath?: string
  /** Runs a transition rule also where there is no former value; `oldSelf` is then an optional. Default false. */
  readonly optionalOldSelf?: boolean
  /**
   * The reason why `defineKind`, `crd` and `manifest` do not check the rule, for example that a kube-apiserver 1.36
   * accepts it. The definition does not contain it. Default none: the rule is checked.
   */
  readonly unchecked?: string
}

/** A reason that a {@link CelRule} may give. */
export type CelReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
