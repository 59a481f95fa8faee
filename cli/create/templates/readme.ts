import { formatResource, type Resource } from '../../../sdk/engine/kube/resource.js'
import { syncFromHostLabel } from '../../../sdk/vcluster/naming/ownership-keys.js'
import { isOfferedKind } from '../../../sdk/vcluster/syncer/translator/host-selection.js'
import type { KindDesign, PluginDesign } from '../kind/plugin-design.js'

/** The work of a plugin with the objects of a kind, by its direction. */
const actions = {
  down: (kind: string) => `copies every ${kind} of a virtual cluster to the host cluster`,
  up: (kind: string) => `shows each selected ${kind} of the host cluster in a virtual cluster`,
  both: (kind: string) =>
    `copies every ${kind} of a virtual cluster to the host cluster, and changes of the copies back`,
}

/** README.md: the files, and the commands in the order of their use. */
export function readmeFile({ name, kind, direction, vcluster }: PluginDesign): string {
  const { type, file } = kind.names
  const versionFlag = vcluster.chart === 'before 0.20' ? ` --version ${vcluster.version}` : ''
  return `# ${name}

A [vcluster](https://www.vcluster.com) plugin that ${actions[direction](type)}.

\`\`\`sh
npm install
npm run dev       # runs the plugin between two embedded clusters and prints each copy; needs no cluster
npm test          # tests the copy of a sample, and kills the plugin at every write
npm run types     # checks the types
npm run lint      # checks the types, and finds promises without await; installs its linter first
npm run format    # formats the sources
\`\`\`

| file | content |
|---|---|
| \`src/${file}-syncer.ts\` | the syncer: start here |
| \`src/${file}-syncer.test.ts\` | its tests |
| \`src/register.ts\`, \`src/main.ts\` | registers the syncer; starts the plugin |
| \`samples.yaml\`${direction === 'up' || kind.source.from === 'definition' ? ', `host-samples.yaml`' : ''} | the objects that \`npm run dev\` applies first |
| \`plugin.yaml\` | Helm values that add the plugin to a vcluster ${vcluster.version} |
| \`Dockerfile\` | the image; \`npm run bundle\` makes its content |
| \`tools/package.json\` | the linter and the formatter |
| \`.vscode/launch.json\` | starts \`dev\` and the tests under the debugger of VS Code |
| \`.vcluster-plugin-template.json\` | the templates of this project; \`npx vcluster-plugin upgrade\` says what changed in them since |
| \`devspace.yaml\` | the development loop on a real cluster |
${direction === 'up' ? selectionSection(kind.resource) : referencesSection(kind)}
## On a cluster

\`\`\`sh
npm run image
helm upgrade --install my-vcluster vcluster --repo https://charts.loft.sh${versionFlag} \\
  --namespace vcluster-my-vcluster --create-namespace --values plugin.yaml
\`\`\`

The cluster's nodes need the image. Either push it to a registry, and put that registry's name before the image here and in
\`plugin.yaml\`. Or load it into the cluster (\`kind load docker-image ${name}:dev\`, \`minikube image load ${name}:dev\`).

Generate \`plugin.yaml\` again if the plugin registers something else, or for another vcluster release:

\`\`\`sh
npx vcluster-plugin manifest . --vcluster-version ${vcluster.version} > plugin.yaml
\`\`\`
${inSyncerSection(name, vcluster)}`
}

/** The section about the host objects that tenants can see. */
function selectionSection(resource: Resource): string {
  const { plural, namespaced } = resource
  if (isOfferedKind(resource))
    return `
## Selected objects

The plugin shows all ${plural} of the host except copies made by a vcluster. The option \`select\` of the syncer narrows this.
`
  const where = namespaced ? ' --namespace vcluster-my-vcluster' : ''
  return `
## Selected objects

Every user of the virtual cluster can read the copies. So the syncer copies only ${plural} with this label:

\`\`\`sh
kubectl label ${formatResource(resource)} NAME${where} ${syncFromHostLabel}=true
\`\`\`

If the label is removed, the copy is deleted. Everybody who may label ${plural} there decides what tenants see. The option
\`select\` of the syncer accepts other labels, a function, or \`'all'\`. The plugin never copies:

${neverCopiedList(resource)}
`
}

/** The section about references that were derived from a definition. */
function referencesSection({ source, names }: KindDesign): string {
  if (source.from !== 'definition') return ''
  return `
## References and tenants

The option \`references\` in \`src/${names.file}-syncer.ts\` was derived from names and shapes in the schema. It lists fields that name other objects, their values
in a copy, and fields that prevent a copy. Check it, and read the schema from the view of a tenant: a controller on the host acts
on each copy with its own permissions. Reject fields that a tenant must not use in \`references\`, or remove them in \`transform\`.
`
}

/** The objects that `hostInternalReason` of the SDK keeps on the host. */
function neverCopiedList({ plural }: Resource): string {
  const isSecret = plural === 'secrets'
  const lines = [
    'copies of virtual objects, and the objects of the vcluster itself',
    ...(isSecret
      ? ["kubeconfigs and certificates of vclusters, tokens of the host's service accounts, bootstrap tokens"]
      : []),
    ...(isSecret || plural === 'configmaps' ? ['records of Helm releases'] : []),
  ]
  return lines.map((line) => `* ${line}`).join('\n')
}

/** The section about in-syncer mode; vcluster starts plugins since 0.19. */
function inSyncerSection(name: string, { runsPlugins, version }: PluginDesign['vcluster']): string {
  if (!runsPlugins) return ''
  return `
To run the plugin inside vcluster's own container instead of a sidecar:

\`\`\`sh
docker build -t ${name}:in-syncer --target in-syncer .
npx vcluster-plugin manifest . --vcluster-version ${version} --mode in-syncer --image ${name}:in-syncer > in-syncer.yaml
\`\`\`
`
}
