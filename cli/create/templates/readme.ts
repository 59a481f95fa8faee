import { formatResource, type Resource } from '../../../sdk/kube/resource.js'
import { syncFromHostLabel } from '../../../sdk/naming/marks.js'
import { isOfferedKind } from '../../../sdk/syncer/translator/host-selection.js'
import type { KindDesign, PluginDesign } from '../kind/plugin-design.js'

const does = {
  down: (kind: string) => `copies every ${kind} of a virtual cluster to the host cluster`,
  up: (kind: string) => `shows each selected ${kind} of the host cluster in a virtual cluster`,
  both: (kind: string) =>
    `copies every ${kind} of a virtual cluster to the host cluster, and what is changed there alone back`,
}

/** README.md: what there is, and the commands in the order in which they are needed. */
export function readmeFile({ name, kind, direction, vcluster }: PluginDesign): string {
  const { type, file } = kind.names
  const versionFlag = vcluster.chart === 'before 0.20' ? ` --version ${vcluster.version}` : ''
  return `# ${name}

A [vcluster](https://www.vcluster.com) plugin that ${does[direction](type)}.

\`\`\`sh
npm install
npm run dev       # two embedded clusters, the plugin between them, a line for each copy; needs nothing else
npm test          # the copy of a sample, and the plugin killed at every write
npm run types     # TypeScript
npm run lint      # among others, promises that nobody waits for
\`\`\`

| file | is |
|---|---|
| \`src/${file}-syncer.ts\` | what is done: begin here |
| \`src/${file}-syncer.test.ts\` | its tests |
| \`src/register.ts\`, \`src/main.ts\` | what the plugin is made of, and its program |
| \`samples.yaml\`${direction === 'up' || kind.source.from === 'definition' ? ', `host-samples.yaml`' : ''} | the objects that \`npm run dev\` begins with |
| \`plugin.yaml\` | Helm values that add the plugin to a vcluster ${vcluster.version} |
| \`Dockerfile\` | its image; \`npm run bundle\` makes what is in it |
| \`devspace.yaml\` | the development loop on a real cluster |
${direction === 'up' ? selection(kind.resource) : references(kind)}
## On a cluster

\`\`\`sh
docker build -t ${name}:dev .
helm upgrade --install my-vcluster vcluster --repo https://charts.loft.sh${versionFlag} \\
  --namespace vcluster-my-vcluster --create-namespace --values plugin.yaml
\`\`\`

The cluster's nodes must find the image: push it to a registry, with that registry's name before it here and in \`plugin.yaml\`, or hand it
over (\`kind load docker-image ${name}:dev\`, \`minikube image load ${name}:dev\`).

After a change of what is registered, or for another vcluster:

\`\`\`sh
npx vcluster-plugin manifest . --vcluster-version ${vcluster.version} > plugin.yaml
\`\`\`
${inSyncer(name, vcluster)}`
}

/** What is shown to tenants, and how a person chooses it. */
function selection(resource: Resource): string {
  const { plural, namespaced } = resource
  if (isOfferedKind(resource))
    return `
## What is shown

All ${plural} of the host, except copies that a vcluster made there. The option \`select\` of the syncer chooses among them.
`
  const where = namespaced ? ' --namespace vcluster-my-vcluster' : ''
  return `
## What is shown

Nothing, until a person chooses it. Every user of the virtual cluster can read what is copied, so the syncer copies only
${plural} with this label:

\`\`\`sh
kubectl label ${formatResource(resource)} NAME${where} ${syncFromHostLabel}=true
\`\`\`

Without the label a copy is deleted again. Whoever may label ${plural} there decides what tenants see. The option \`select\` of the
syncer takes other labels, a function, or \`'all'\`. Whatever is selected, these stay on the host:

${never(resource)}
`
}

/** What was read out of a definition is a proposal. */
function references({ source, names }: KindDesign): string {
  if (source.from !== 'definition') return ''
  return `
## What a tenant can reach

The option \`references\` in \`src/${names.file}-syncer.ts\` was made from the schema, by names and shapes: which fields name other objects, what a copy says
instead, and which fields keep an object from being copied. Check it, and read the schema with the eyes of a tenant: a controller on
the host acts on each copy with rights of its own. What no tenant may ask of it, refuse there or leave out in \`transform\`.
`
}

/** What `hostInternalReason` of the SDK keeps on the host. */
function never({ plural }: Resource): string {
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

/** Releases before 0.19 start no plugins themselves. */
function inSyncer(name: string, { runsPlugins, version }: PluginDesign['vcluster']): string {
  if (!runsPlugins) return ''
  return `
Inside vcluster's own container instead of beside it:

\`\`\`sh
docker build -t ${name}:in-syncer --target in-syncer .
npx vcluster-plugin manifest . --vcluster-version ${version} --mode in-syncer --image ${name}:in-syncer > in-syncer.yaml
\`\`\`
`
}
