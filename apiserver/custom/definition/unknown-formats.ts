import type { OpenObject } from '../../base/object.js'
import type { Schema } from '../../schema/structural-schema.js'
import { formatOf } from '../formats.js'
import { versionsOf } from './definition.js'

/**
 * The warnings for formats in the schemas of a definition that are not checked. A format of the old definition does not
 * warn again. Source: k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go @ v0.36.3.
 */
export function unknownFormatWarnings(definition: OpenObject, old?: OpenObject): string[] {
  const oldFormats = old === undefined ? new Set<string>() : unknownFormats(old)
  return [...unknownFormats(definition)]
    .filter((format) => !oldFormats.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`)
}

function unknownFormats(definition: OpenObject): Set<string> {
  const formats = new Set<string>()
  for (const { schema } of versionsOf(definition)) {
    if (schema?.openAPIV3Schema !== undefined) collect(schema.openAPIV3Schema, formats)
  }
  return formats
}

function collect(schema: Schema, formats: Set<string>): void {
  const { format = '' } = schema
  if (format !== '' && formatOf(schema) === '') formats.add(format)
  for (const inner of schemasIn(schema)) collect(inner, formats)
}

/** The direct parts of a schema. */
function schemasIn(schema: Schema): Schema[] {
  const { items, additionalProperties, not, properties = {} } = schema
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  const single = [items, additionalProperties, not].filter(
    (child) => typeof child === 'object' && child !== null,
  )
  return [...single, ...allOf, ...oneOf, ...anyOf, ...Object.values(properties)]
}
