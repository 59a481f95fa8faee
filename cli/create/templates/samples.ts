import { stringify } from 'yaml'
import { apiVersionOf } from '../../../sdk/kube/resource.js'
import { syncFromHostLabel } from '../../../sdk/naming/marks.js'
import { isOfferedKind } from '../../../sdk/syncer/translator/host-selection.js'
import type { PluginDesign } from '../kind/plugin-design.js'

/** The objects that \`vcluster-plugin dev\` begins with, on the side of the originals; and the definition, on the host. */
export function sampleFiles(design: PluginDesign): Record<string, string> {
  const { kind, direction } = design
  const { resource, content, source } = kind
  const object = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name: 'sample', labels: { app: 'sample', ...selectingLabels(design) } },
    ...content,
  }
  const definition =
    source.from === 'definition'
      ? [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...source.definition }]
      : []
  const host = direction === 'up' ? [...definition, object] : definition
  return {
    'samples.yaml': direction === 'up' ? nothing : documents('the virtual cluster', [object]),
    ...(host.length > 0 && { 'host-samples.yaml': documents('the host cluster', host) }),
  }
}

/** What makes the plugin select its sample: nothing, unless the sample stands on the host. */
export function selectingLabels({ kind, direction }: PluginDesign): Record<string, string> {
  return direction === 'up' && !isOfferedKind(kind.resource) ? { [syncFromHostLabel]: 'true' } : {}
}

const nothing = `# What \`npm run dev\` applies to the virtual cluster: nothing yet. The originals are in host-samples.yaml.
`

function documents(where: string, objects: readonly object[]): string {
  const heading = `# What \`npm run dev\` applies to ${where}.\n`
  return heading + objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n')
}
