/** The parts of an OpenAPI v3 schema that code and samples are made from. */
export interface OpenApiSchema {
  type?: string
  format?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  minProperties?: number
  required?: readonly string[]
  properties?: Readonly<Record<string, OpenApiSchema>>
  additionalProperties?: boolean | OpenApiSchema
  items?: OpenApiSchema
  anyOf?: readonly OpenApiSchema[]
  oneOf?: readonly OpenApiSchema[]
  allOf?: readonly OpenApiSchema[]
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
}
