/** As much of an OpenAPI v3 schema as code and samples are made from. */
export interface JsonSchema {
  type?: string
  format?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  minimum?: number
  minLength?: number
  minItems?: number
  required?: readonly string[]
  properties?: Readonly<Record<string, JsonSchema>>
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-preserve-unknown-fields'?: boolean
}
