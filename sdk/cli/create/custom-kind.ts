import { readDefinition } from '../../kinds/read-definition.js'
import { PluginError } from '../../kube/error.js'
import { jsonEqual } from '../../kube/json.js'
import type { JsonSchema } from './json-schema.js'
import { namesOfKind } from './names.js'
import type { KindDesign } from './plugin-design.js'
import type { SampleContent } from './sample-content.js'
import { sampleOfSchema } from './sample-of-schema.js'

/** The kind that a file defines, in the version that is stored. Throws `PluginError` `BAD_DEFINITION`. */
export async function customKind(file: string): Promise<KindDesign> {
  const { spec } = await readDefinition(file)
  const version = spec.versions.find(({ storage }) => storage) ?? spec.versions[0]
  if (!version) throw new PluginError('BAD_DEFINITION', `${file} defines no version`)
  const { group, names, scope } = spec
  const definition = {
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope, names, versions: [version] },
  }
  const resource = {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
  }
  const content = contentOf(version.schema?.openAPIV3Schema ?? {})
  const hasStatus = version.subresources?.status !== undefined
  return {
    resource,
    names: namesOfKind(resource),
    source: { from: 'definition', definition },
    ...content,
    ...(hasStatus && { statusUp: true as const }),
  }
}

const notContent = ['apiVersion', 'kind', 'metadata', 'status']

/** What an object of the kind holds beside metadata and status. */
export function contentSchemas(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).filter(([name]) => !notContent.includes(name))
}

function contentOf(schema: JsonSchema): SampleContent {
  const fields = contentSchemas(schema)
  const variant = (n: 1 | 2) =>
    Object.fromEntries(fields.map(([name, field]) => [name, sampleOfSchema(field, n)]))
  const [content, change] = [variant(1), variant(2)]
  return jsonEqual(content, change) ? { content } : { content, change }
}
