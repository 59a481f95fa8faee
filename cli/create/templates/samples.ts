import { stringify } from 'yaml'
import { apiVersionOf } from '../../../sdk/engine/kube/resource.js'
import { syncFromHostLabel } from '../../../sdk/vcluster/naming/ownership-keys.js'
import { isOfferedKind } from '../../../sdk/vcluster/syncer/translator/host-selection.js'
import type { PluginDesign } from '../kind/plugin-design.js'

/**
 * The files with the objects that `vcluster-plugin dev` applies: the sample, and the definition of a custom kind on the
 * host.
 */
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
  const hostObjects = direction === 'up' ? [...definition, object] : definition
  return {
    'samples.yaml': direction === 'up' ? emptySamples : sampleDocuments('the virtual cluster', [object]),
    ...(hostObjects.length > 0 && { 'host-samples.yaml': sampleDocuments('the host cluster', hostObjects) }),
  }
}

/** The labels that make the plugin select its sample; none unless the sample is on the host. */
export function selectingLabels({ kind, direction }: PluginDesign): Record<string, string> {
  return direction === 'up' && !isOfferedKind(kind.resource) ? { [syncFromHostLabel]: 'true' } : {}
}

const emptySamples = `# \`npm run dev\` applies the objects of this file to the virtual cluster. The originals are in host-samples.yaml.
`

function sampleDocuments(clusterName: string, objects: readonly object[]): string {
  const heading = `# \`npm run dev\` applies these objects to ${clusterName}.\n`
  return heading + objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n')
}
