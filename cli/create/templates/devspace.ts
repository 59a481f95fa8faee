import { Document, isMap, isScalar, type YAMLMap } from 'yaml'
import type { PluginDesign } from '../kind/plugin-design.js'

/** devspace.yaml, by DevSpace v6's configuration (https://www.devspace.sh/docs/configuration/reference). */
export function devspaceFile({ name, vcluster }: PluginDesign): string {
  const document = new Document({
    version: 'v2beta1',
    name,
    vars: {
      PLUGIN_IMAGE: { source: 'env', default: name },
      VCLUSTER_NAME: { source: 'env', default: 'vcluster' },
    },
    images: {
      plugin: { image: variable('PLUGIN_IMAGE'), target: 'dev', rebuildStrategy: 'ignoreContextChanges' },
    },
    deployments: { vcluster: { helm: vclusterRelease(name, vcluster) } },
    dev: { plugin: devContainer(name) },
  })
  document.commentBefore = headComment
  for (const [path, text] of comments) addComment(document, path, text)
  return document.toString({ lineWidth: 0 })
}

const variable = (name: string) => `\${${name}}`

function vclusterRelease(name: string, { chart, version }: PluginDesign['vcluster']) {
  const sleepingContainer = {
    image: variable('runtime.images.plugin'),
    command: ['sleep', 'infinity'],
    securityContext: { runAsNonRoot: false, readOnlyRootFilesystem: false, capabilities: { drop: [] } },
  }
  return {
    releaseName: variable('VCLUSTER_NAME'),
    chart: { name: 'vcluster', repo: 'https://charts.loft.sh', version },
    valuesFiles: ['plugin.yaml'],
    values: { plugin: { [name]: sleepingContainer }, ...withoutProbes(chart) },
  }
}

/** A vcluster that waits for its plugin fails its probes. Charts before 0.20 have two probes, with other keys. */
function withoutProbes(chart: PluginDesign['vcluster']['chart']) {
  const off = { enabled: false }
  if (chart === 'before 0.20') return { syncer: { livenessProbe: off, readinessProbe: off } }
  const probes = { livenessProbe: { ...off }, readinessProbe: { ...off }, startupProbe: { ...off } }
  return { controlPlane: { statefulSet: { probes } } }
}

function devContainer(name: string) {
  const excludePaths = ['.git/', '.devspace/', '.vcluster-plugin/', 'dist/', 'node_modules/']
  const onUpload = { exec: [{ command: 'npm ci --no-audit --no-fund', onChange: ['package-lock.json'] }] }
  return {
    labelSelector: { app: 'vcluster', release: variable('VCLUSTER_NAME') },
    container: name,
    sync: [{ path: './:/app', excludePaths, disableDownload: true, onUpload }],
    terminal: {
      workDir: '/app',
      disableReplace: true,
      command: "echo 'Start the plugin with: npm run plugin'\nexec bash",
    },
  }
}

const headComment = ` The development loop on a real cluster, for DevSpace 6:

   devspace dev -n vcluster-dev      # builds, installs a vcluster, opens a terminal in the plugin's container
   npm run plugin                    # in that terminal: starts the plugin from its sources, again after a change
   devspace purge -n vcluster-dev    # removes the vcluster

 The API of vcluster stays closed until the plugin registers. The probes are off for that reason. If no plugin registers
 within ten minutes, vcluster exits and Kubernetes restarts it; the terminal stays open.`

const comments: readonly [readonly string[], string][] = [
  [['vars'], 'Each can be set in the environment or with `--var NAME=value`.'],
  [
    ['vars', 'PLUGIN_IMAGE'],
    'Registry and name of the development image. A remote cluster must be able to pull from this registry.',
  ],
  [['vars', 'VCLUSTER_NAME'], 'The name of the Helm release and of the vcluster.'],
  [
    ['images', 'plugin', 'rebuildStrategy'],
    'The sync below copies changed sources to the container; only a changed Dockerfile needs a new image.',
  ],
  [['deployments', 'vcluster', 'helm', 'values'], 'Differences from plugin.yaml during development.'],
  [['dev', 'plugin', 'labelSelector'], "The vcluster's Pod; the plugin's container in it."],
  [
    ['dev', 'plugin', 'sync'],
    "Copies the project to the image's working directory. The container installs its own packages.",
  ],
  [
    ['dev', 'plugin', 'terminal', 'disableReplace'],
    'The container only sleeps, so the Pod does not have to be replaced.',
  ],
]

function addComment(document: Document, path: readonly string[], text: string): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1))
  const key = isMap(parent) ? keyOf(parent, path.at(-1)) : undefined
  if (key) key.commentBefore = ` ${text}`
}

/** The node of a key in a YAML map, which a comment can be attached to. */
function keyOf(map: YAMLMap, name: string | undefined) {
  const keyNode = map.items.map(({ key }) => key).find((key) => isScalar(key) && key.value === name)
  return isScalar(keyNode) ? keyNode : undefined
}
