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
    deployments: { vcluster: { helm: release(name, vcluster) } },
    dev: { plugin: container(name) },
  })
  document.commentBefore = heading
  for (const [path, text] of comments) comment(document, path, text)
  return document.toString({ lineWidth: 0 })
}

const variable = (name: string) => `\${${name}}`

function release(name: string, { chart, version }: PluginDesign['vcluster']) {
  const idle = {
    image: variable('runtime.images.plugin'),
    command: ['sleep', 'infinity'],
    securityContext: { runAsNonRoot: false, readOnlyRootFilesystem: false, capabilities: { drop: [] } },
  }
  return {
    releaseName: variable('VCLUSTER_NAME'),
    chart: { name: 'vcluster', repo: 'https://charts.loft.sh', version },
    valuesFiles: ['plugin.yaml'],
    values: { plugin: { [name]: idle }, ...withoutProbes(chart) },
  }
}

/** A vcluster that waits for its plugin answers no probe. Charts before 0.20 have two, under other words. */
function withoutProbes(chart: PluginDesign['vcluster']['chart']) {
  const off = { enabled: false }
  if (chart === 'before 0.20') return { syncer: { livenessProbe: off, readinessProbe: off } }
  const probes = { livenessProbe: { ...off }, readinessProbe: { ...off }, startupProbe: { ...off } }
  return { controlPlane: { statefulSet: { probes } } }
}

function container(name: string) {
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

const heading = ` The development loop on a real cluster, for DevSpace 6:

   devspace dev -n vcluster-dev      # builds, installs a vcluster, opens a terminal in the plugin's container
   npm run plugin                    # in that terminal: starts the plugin from its sources, again after a change
   devspace purge -n vcluster-dev    # removes the vcluster

 vcluster waits for the plugin's registration, and its API stays closed until then. So nothing here is in a hurry: the
 probes are off, and when vcluster gives up after ten minutes Kubernetes starts it again, while the terminal stays.`

const comments: readonly [readonly string[], string][] = [
  [['vars'], 'Each can be set in the environment or with `--var NAME=value`.'],
  [
    ['vars', 'PLUGIN_IMAGE'],
    'Where the development image is pushed to. A cluster elsewhere needs a registry here that it can pull from.',
  ],
  [['vars', 'VCLUSTER_NAME'], "The Helm release, which is also the vcluster's name."],
  [
    ['images', 'plugin', 'rebuildStrategy'],
    'Changed sources reach the container by the sync below; only a changed Dockerfile needs a new image.',
  ],
  [['deployments', 'vcluster', 'helm', 'values'], 'What differs from plugin.yaml while developing.'],
  [['dev', 'plugin', 'labelSelector'], "The vcluster's pod, and in it the plugin's container."],
  [
    ['dev', 'plugin', 'sync'],
    "The project, in the image's working directory. Packages stay the container's own.",
  ],
  [
    ['dev', 'plugin', 'terminal', 'disableReplace'],
    'The container idles already; replacing the pod would only change the environment the plugin runs in.',
  ],
]

function comment(document: Document, path: readonly string[], text: string): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1))
  const key = isMap(parent) ? keyOf(parent, path.at(-1)) : undefined
  if (key) key.commentBefore = ` ${text}`
}

function keyOf(map: YAMLMap, name: string | undefined) {
  const found = map.items.map(({ key }) => key).find((key) => isScalar(key) && key.value === name)
  return isScalar(found) ? found : undefined
}
