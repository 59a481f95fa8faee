import partition from 'lodash/partition.js'
import { Document, isMap, isPair, isScalar, type Pair, visit, type YAMLMap, type YAMLSeq } from 'yaml'
import { formatResource } from '../../sdk/kube/resource.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import { permissionsOf } from '../../sdk/plugin/permissions.js'
import { policyRules } from '../roles/policy-rules.js'
import { builtinSyncers } from './builtin-syncers.js'
import type { VClusterRelease } from './vcluster-release.js'

/** What {@link helmValues} writes for. */
export interface HelmValuesOptions extends Pick<VClusterRelease, 'chart'> {
  mode: 'sidecar' | 'in-syncer'
  image: string
  /** The name of the file in the heading's command; default `plugin.yaml`, or `plugin.v0.19.yaml` for older charts. */
  file?: string
  /** The chart's version in that command, for older charts; default `0.19.10`. */
  version?: string
}

/**
 * The Helm values, as commented YAML, that add a plugin to a vcluster: its image and rights, and the built-in
 * syncers that it takes the place of. `version` and `optional` are left out wherever the chart or vcluster
 * would not wait for the plugin, or wait in vain (`pkg/config/config.go` `LegacyOptions` @ vcluster v0.36.1).
 */
export function helmValues(description: PluginDescription, options: HelmValuesOptions): string {
  const { name } = description
  const map = mapOf(options)
  const document = new Document({
    [map]: { [name]: pluginValues(description, options) },
    ...withoutBuiltins(description, options),
  })
  document.commentBefore = commented(heading(name, options))
  const comments = options.mode === 'sidecar' ? sidecarComments : inSyncerComments
  comment(document, [map], comments.map)
  comment(document, [map, name], comments.name)
  comment(document, [map, name, 'image'], imageComment)
  comment(document, [map, name, 'imagePullPolicy'], 'Does not ask a registry for an image that the node has.')
  comment(document, [map, name, 'command'], comments.command)
  comment(document, [map, name, 'securityContext'], comments.securityContext)
  comment(document, [map, name, 'rbac'], rbacComment)
  for (const section of ['sync', 'syncer']) comment(document, [section], syncComment)
  visit(document, { Seq: onOneLine })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** Inside vcluster's container a plugin belongs into `plugins`, which charts before 0.20 do not have. */
function mapOf({ chart, mode }: HelmValuesOptions): 'plugin' | 'plugins' {
  return mode === 'in-syncer' && chart === 'since 0.20' ? 'plugins' : 'plugin'
}

function pluginValues(description: PluginDescription, { chart, mode, image }: HelmValuesOptions) {
  const isInSyncer = mode === 'in-syncer'
  return {
    ...(isInSyncer && chart === 'before 0.20' && { version: 'v2' }),
    image,
    imagePullPolicy: 'IfNotPresent',
    ...(isInSyncer && copyCommand(description.name)),
    securityContext: {
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    ...rbacOf(description),
  }
}

function copyCommand(name: string) {
  return { command: ['sh', '-c'], args: [`rm -rf /plugins/${name} && cp -r /plugin /plugins/${name}`] }
}

/** The chart makes a Role in the target namespace and a ClusterRole; other namespaces have to be in the latter. */
function rbacOf(description: PluginDescription) {
  const permissions = permissionsOf(description).filter(({ side }) => side === 'host')
  const [role, clusterRole] = partition(permissions, ({ namespace }) => namespace === undefined)
  const rbac = {
    ...(role.length > 0 && { role: { extraRules: policyRules(role) } }),
    ...(clusterRole.length > 0 && { clusterRole: { extraRules: policyRules(clusterRole) } }),
  }
  return Object.keys(rbac).length > 0 ? { rbac } : {}
}

function withoutBuiltins({ syncers }: PluginDescription, { chart }: HelmValuesOptions) {
  const found = syncers.flatMap(({ resource }) => builtinSyncers.get(formatResource(resource)) ?? [])
  if (found.length === 0) return {}
  if (chart === 'before 0.20') {
    const arg = `--sync=${found.map(({ before020 }) => `-${before020}`).join(',')}`
    return { syncer: { extraArgs: [arg] } }
  }
  return { sync: { toHost: Object.fromEntries(found.map(({ since020 }) => [since020, { enabled: false }])) } }
}

function onOneLine(_: unknown, list: YAMLSeq): void {
  list.flow = list.items.every(isScalar)
}

/** Sets the comment before a key, if the key is there; a section of its own begins after an empty line. */
function comment(document: Document, path: readonly string[], text: string | undefined): void {
  const isSection = path.length === 1
  const parent = isSection ? document.contents : document.getIn(path.slice(0, -1))
  if (text === undefined || !isMap(parent)) return
  const pair = pairOf(parent, path.at(-1))
  if (!isScalar(pair?.key)) return
  pair.key.commentBefore = commented(text)
  pair.key.spaceBefore = isSection && pair !== parent.items[0]
}

function pairOf(map: YAMLMap, key: string | undefined): Pair | undefined {
  return map.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
}

const commented = (text: string) => text.replaceAll(/^/gm, ' ')

function heading(name: string, { chart, ...names }: HelmValuesOptions): string {
  const old = chart === 'before 0.20'
  const file = names.file ?? (old ? 'plugin.v0.19.yaml' : 'plugin.yaml')
  const version = old ? ` --version ${names.version ?? '0.19.10'}` : ''
  return `Helm values that add the plugin ${name} to a vcluster, for its chart ${chart}:

  helm upgrade --install my-vcluster vcluster --repo https://charts.loft.sh${version} \\
    --namespace vcluster-my-vcluster --create-namespace --values ${file}`
}

const imageComment = `The image of the Dockerfile beside this file; put your registry before it, unless the cluster's nodes have it already.`

const rbacComment = `What its syncers do in the host cluster; the plugin acts as the vcluster's own ServiceAccount.`

const syncComment = `Switches off vcluster's own syncers of the kinds that this plugin copies.`

interface Comments {
  map: string
  name: string
  command?: string
  securityContext: string
}

const sidecarComments: Comments = {
  map: 'The map of plugins that may run as sidecars.',
  name: `The plugin's name. vcluster waits up to ten minutes for a registration under exactly this name, which the chart
hands to the plugin as VCLUSTER_PLUGIN_NAME (before 0.10.2: call plugin.init({ name }) with it).

There is deliberately no \`version\` (vcluster does not wait for a \`version: v1\` plugin, and a \`version: v2\` one runs
inside its own container) and no \`optional\` (newer vclusters wait all the same).`,
  securityContext: 'It needs no rights over the machine: no root, no writable files, no capabilities.',
}

const inSyncerComments: Comments = {
  map: "The map of plugins that run inside vcluster's own container.",
  name: "The plugin's name, and that of its folder below /plugins.",
  command:
    'Copies the plugin to where vcluster starts it; the old copy goes first, because this may run again in a pod.',
  securityContext: "For the copy alone; the plugin runs with the rights of vcluster's own container.",
}
