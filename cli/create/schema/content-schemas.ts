import type { OpenApiSchema } from './json-schema.js'

const notContent = ['apiVersion', 'kind', 'metadata', 'status']

/** The schemas of an object's top-level fields except metadata and status. */
export function contentSchemas(schema: OpenApiSchema): [string, OpenApiSchema][] {
  return Object.entries(schema.properties ?? {}).filter(([name]) => !notContent.includes(name))
}
