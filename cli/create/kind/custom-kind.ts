import { readDefinition } from '../../../sdk/engine/cluster/read-definition.js'
import type { CustomResourceDefinition } from '../../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { builtInReferences } from '../../../sdk/vcluster/syncer/references/built-in-references.js'
import { deriveSample } from '../sample/derive-sample.js'
import { SampleTrial } from '../sample/sample-trial.js'
import type { OpenApiSchema } from '../schema/json-schema.js'
import { schemaReferences } from '../schema/schema-references.js'
import { namesOfKind } from './names.js'
import type { KindDesign } from './plugin-design.js'

/** Reads a kind from the file of its definition, in the storage version. Throws `PluginError` `INVALID_CRD`. */
export async function customKind(file: string): Promise<KindDesign> {
  const { resource, definition, version } = storedVersion(await readDefinition(file), file)
  const schema: OpenApiSchema = version.schema?.openAPIV3Schema ?? {}
  // The SDK's own rules for the kind are better than rules derived from its schema, which would take precedence.
  const hasOwnRules = Object.keys(builtInReferences(resource)).length > 0
  const references = hasOwnRules ? [] : schemaReferences(schema, resource)
  const { content, change, problems, stored } = await SampleTrial.with({ resource, definition }, (trial) =>
    deriveSample(schema, references, trial),
  )
  const hasStatus = version.subresources?.status !== undefined
  return {
    resource,
    names: namesOfKind(resource),
    source: { from: 'definition', definition },
    content,
    ...(change && { change }),
    references,
    problems,
    ...(stored && { stored }),
    ...(hasStatus && { statusUp: true as const }),
  }
}

/** The storage version of a definition, its resource, and a definition with that version alone. */
function storedVersion({ metadata, spec }: CustomResourceDefinition, file: string) {
  const version = spec.versions.find(({ storage }) => storage) ?? spec.versions[0]
  if (!version) throw new PluginError('INVALID_CRD', `${file} has no version in spec.versions`)
  const { group, names, scope } = spec
  const definition = {
    metadata: { name: `${names.plural}.${group}`, ...approval(metadata.annotations) },
    spec: { group, scope, names, versions: [version] },
  }
  const { kind, plural } = names
  const resource = { group, version: version.name, kind, plural, namespaced: scope === 'Namespaced' }
  return { resource, definition, version }
}

const approvalKey = 'api-approved.kubernetes.io'

/** The approval annotation, which API servers require for groups of Kubernetes. */
function approval(annotations: Record<string, string> = {}): { annotations?: Record<string, string> } {
  const approved = annotations[approvalKey]
  return approved === undefined ? {} : { annotations: { [approvalKey]: approved } }
}
