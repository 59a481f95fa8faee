import type { JsonSchema } from './json-schema.js'

const notContent = ['apiVersion', 'kind', 'metadata', 'status']

/** What an object of the kind holds beside metadata and status. */
export function contentSchemas(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).filter(([name]) => !notContent.includes(name))
}
