import partition from 'lodash/partition.js'
import { Document, isMap, isPair, isScalar, type Pair, visit, type YAMLMap, type YAMLSeq } from 'yaml'
import { formatResource } from '../../sdk/engine/kube/resource.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import { permissionsOf } from '../../sdk/vcluster/plugin/permissions.js'
import { policyRules } from '../roles/policy-rules.js'
import { shellWord } from '../terminal/shell-word.js'
import { builtinSyncers } from './builtin-syncers.js'
import type { VClusterRelease } from './vcluster-release.js'

/** Options of {@link helmValues}. */
export interface HelmValuesOptions extends Pick<VClusterRelease, 'chart'> {
  mode: 'sidecar' | 'in-syncer'
  image: string
  /** The name of the file in the heading's command; default `plugin.yaml`, or `plugin.v0.19.yaml` for older charts. */
  file?: string
  /** The chart's version in that command, for older charts; default `0.19.10`. */
  version?: string
}

/**
 * Helm values, as commented YAML, that add a plugin to a vcluster: its image and permissions, and switches for the
 * built-in syncers that it replaces. `version` and `optional` are left out if the chart or vcluster would not wait for
 * the plugin, or would wait forever (`pkg/config/config.go` `LegacyOptions` @ vcluster v0.36.1).
 */
export function helmValues(description: PluginDescription, options: HelmValuesOptions): string {
  const { name } = description
  const map = mapOf(options)
  const document = new Document({
    [map]: { [name]: pluginValues(description, options) },
    ...withoutBuiltins(description, options),
  })
  document.commentBefore = commentText(heading(name, options))
  const comments = options.mode === 'sidecar' ? sidecarComments : inSyncerComments
  comment(document, [map], comments.map)
  comment(document, [map, name], comments.name)
  comment(document, [map, name, 'image'], imageComment(options))
  comment(
    document,
    [map, name, 'imagePullPolicy'],
    'Uses an image that the node already has without asking a registry.',
  )
  comment(document, [map, name, 'command'], comments.command)
  const isWriting = options.mode === 'sidecar' && description.writesTemporaryFiles
  comment(document, [map, name, 'securityContext'], isWriting ? writingComment : comments.securityContext)
  comment(document, [map, name, 'rbac'], rbacComment)
  for (const section of ['sync', 'syncer']) comment(document, [section], syncComment)
  visit(document, { Seq: onOneLine })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** In-syncer plugins belong in `plugins`, which charts before 0.20 do not have. */
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
      // The container of a plugin inside vcluster only copies files. A sidecar has no volume for temporary ones.
      readOnlyRootFilesystem: isInSyncer || !description.writesTemporaryFiles,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      // Without it a namespace with the restricted profile refuses the Pod.
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...rbacOf(description),
  }
}

function copyCommand(name: string) {
  const folder = shellWord(`/plugins/${name}`)
  return { command: ['sh', '-c'], args: [`rm -rf ${folder} && cp -r /plugin ${folder}`] }
}

/** The chart creates a Role in the target namespace and a ClusterRole, which covers all other namespaces. */
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
  const syncerNames = syncers.flatMap(({ resource }) => builtinSyncers.get(formatResource(resource)) ?? [])
  if (syncerNames.length === 0) return {}
  if (chart === 'before 0.20') {
    const arg = `--sync=${syncerNames.map(({ before020 }) => `-${before020}`).join(',')}`
    return { syncer: { extraArgs: [arg] } }
  }
  return {
    sync: { toHost: Object.fromEntries(syncerNames.map(({ since020 }) => [since020, { enabled: false }])) },
  }
}

function onOneLine(_: unknown, list: YAMLSeq): void {
  list.flow = list.items.every(isScalar)
}

/** Sets the comment before a key, if the key exists. A top-level key gets an empty line before it. */
function comment(document: Document, path: readonly string[], text: string | undefined): void {
  const isSection = path.length === 1
  const parent = isSection ? document.contents : document.getIn(path.slice(0, -1))
  if (text === undefined || !isMap(parent)) return
  const pair = pairOf(parent, path.at(-1))
  if (!isScalar(pair?.key)) return
  pair.key.commentBefore = commentText(text)
  pair.key.spaceBefore = isSection && pair !== parent.items[0]
}

function pairOf(map: YAMLMap, key: string | undefined): Pair | undefined {
  return map.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
}

const commentText = (text: string) => text.replaceAll(/^/gm, ' ')

function heading(name: string, { chart, ...names }: HelmValuesOptions): string {
  const old = chart === 'before 0.20'
  const file = names.file ?? (old ? 'plugin.v0.19.yaml' : 'plugin.yaml')
  const version = old ? ` --version ${names.version ?? '0.19.10'}` : ''
  return `Helm values that add the plugin ${name} to a vcluster, for its chart ${chart}:

  helm upgrade --install my-vcluster vcluster --repo https://charts.loft.sh${version} \\
    --namespace vcluster-my-vcluster --create-namespace --values ${file}`
}

function imageComment({ mode, image }: HelmValuesOptions): string {
  const built =
    mode === 'in-syncer'
      ? `, built for vcluster's own container:\n\n  docker build -t ${image} --target in-syncer .\n\n`
      : '. '
  return `The image of the Dockerfile next to this file${built}Put your registry before it unless the cluster's nodes already have it.`
}

const rbacComment = `The permissions of its syncers in the host cluster. The plugin uses the vcluster's ServiceAccount.`

const syncComment = `Disables vcluster's own syncers of the kinds that this plugin copies.`

interface Comments {
  map: string
  name: string
  command?: string
  securityContext: string
}

const sidecarComments: Comments = {
  map: 'Plugins that run as sidecars, by name.',
  name: `The plugin's name. vcluster waits up to ten minutes for a registration with exactly this name. The chart sets it as
VCLUSTER_PLUGIN_NAME; before 0.10.2 pass it to plugin.init({ name }).

Do not add \`version\`: vcluster does not wait for a \`version: v1\` plugin, and a \`version: v2\` plugin runs in vcluster's
own container. Do not add \`optional\`: newer vclusters wait for the plugin anyway.`,
  securityContext: 'The plugin needs no root, no writable files and no capabilities.',
}

const writingComment =
  'The plugin needs no root and no capabilities. It writes programs of Modules to its folder of temporary files.'

const inSyncerComments: Comments = {
  map: "Plugins that run inside vcluster's own container, by name.",
  name: "The plugin's name, which is also its folder in /plugins.",
  command:
    'Copies the plugin to the folder from which vcluster starts it. Deletes an old copy first, because a Pod may run this again.',
  securityContext:
    "Applies only to the copying; the plugin runs with the security context of vcluster's own container.",
}
