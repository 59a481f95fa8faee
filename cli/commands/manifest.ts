import { isIP } from 'node:net'
import type { Argv, CommandModule } from 'yargs'
import { defaultRelease, parseRelease } from '../helm/vcluster-release.js'
import type { ManifestOptions } from '../manifest/manifest-options.js'
import { UsageError } from '../terminal/usage-error.js'
import { checkWholeNumber } from '../terminal/whole-number.js'
import { checkedImage } from './checked-image.js'
import { booleanFlag, type Examples, type FlagTable, textFlag } from './flags.js'
import { checkLabel } from './names.js'
import { modeOption, parseMode } from './plugin-mode.js'
import { hasPodOptions, type PodArguments, podFlags, podOptionsOf } from './pod-flags.js'

interface ManifestArguments extends PodArguments {
  folder: string
  vclusterVersion: string
  mode: string | undefined
  image: string | undefined
  vclusterName: string
  namespace: string | undefined
  replicas: number
  memory: number
  priorityClass: string | undefined
  kustomize: string | undefined
  chart: string | undefined
  cluster: string | undefined
  uninstall: boolean
  schema: boolean
  noSecureMetrics: boolean
  serviceMonitor: boolean
  noNetworkPolicy: boolean
  apiServer: string | undefined
  selfSigned: boolean
  renew: string | undefined
}

const notes = `Runs the plugin's program to see what it registers; needs no cluster. The rules under rbac are all that the plugin
needs on the host, including those that the vcluster's own Role already has.`

const flags: FlagTable = {
  'vcluster-version': textFlag('vcluster release', { default: defaultRelease }),
  mode: modeOption({ defaultDescription: 'sidecar; in-syncer for a plugin with interceptors' }),
  image: textFlag("The plugin's image", { defaultDescription: '<name>:dev' }),
  schema: booleanFlag("Print a JSON schema of values files with the plugin's configuration, for editors"),
  'vcluster-name': textFlag("The vcluster's name, in standalone mode", { default: 'my-vcluster' }),
  namespace: textFlag(
    "The vcluster's host namespace, in standalone mode, or the namespace of an operator or a CloudNativePG plugin",
    {
      alias: 'n',
      defaultDescription: 'vcluster-<vcluster-name>; <name>-system for an operator; cnpg-system',
    },
  ),
  replicas: { type: 'number', default: 2, describe: 'Replicas of an operator or a CloudNativePG plugin' },
  memory: {
    type: 'number',
    default: 256,
    describe: 'Memory limit of an operator or a CloudNativePG plugin, in MiB',
  },
  'priority-class': textFlag('PriorityClass of an operator', { defaultDescription: 'none' }),
  ...podFlags,
  kustomize: textFlag(
    'Write the objects into this folder, for kustomize; a plugin of a vcluster needs --mode standalone',
    {
      defaultDescription: 'print them',
    },
  ),
  chart: textFlag('Write a Helm chart of an operator or a standalone plugin into this folder', {
    defaultDescription: 'print the objects',
  }),
  'no-secure-metrics': booleanFlag(
    "Serve an operator's metrics by HTTP to everybody, instead of by HTTPS to those who may get /metrics",
  ),
  'service-monitor': booleanFlag("Print a ServiceMonitor for an operator's metrics"),
  'no-network-policy': booleanFlag(
    'Leave out the NetworkPolicy of an operator, which opens its metrics only to namespaces labelled metrics=enabled',
  ),
  'api-server': textFlag(
    'Networks of the API servers, such as 10.0.0.1/32,10.0.0.2/32: the NetworkPolicy allows only these to call the webhooks',
    { defaultDescription: 'everywhere' },
  ),
  'self-signed': booleanFlag('Make the certificates of a CloudNativePG plugin, instead of cert-manager'),
  renew: textFlag(
    'File with the Secrets of the last --self-signed, or - for standard input: renew their certificates',
    { defaultDescription: 'none' },
  ),
  cluster: textFlag("Cluster of an operator's objects", {
    defaultDescription: 'its first, in which it runs',
  }),
  uninstall: booleanFlag('Print the commands that remove an operator, in their order'),
}

const examples: Examples = [
  ['$0 manifest . > plugin.yaml', 'for charts since 0.20'],
  ['$0 manifest . --vcluster-version 0.19.10 > plugin.v0.19.yaml', 'for older charts'],
  ['$0 manifest . --mode standalone | kubectl apply -f -', 'a Deployment with its Role'],
  ['$0 manifest . --image my-operator:v1 | kubectl apply --server-side -f -', 'an operator'],
  ['$0 manifest . --self-signed | kubectl apply --server-side -f -', 'a CloudNativePG plugin'],
]

/** `vcluster-plugin manifest FOLDER`: prints Helm values that add a plugin to a vcluster. */
export const manifestCommand: CommandModule<object, ManifestArguments> = {
  command: 'manifest [folder]',
  describe:
    'Print Helm values that add a plugin to a vcluster, or objects that run it standalone, an operator, or a CloudNativePG plugin',
  builder: options,
  async handler(args) {
    const { printManifest } = await import('../manifest/print-manifest.js')
    await printManifest(checkedOptions(args))
  },
}

function options(yargs: Argv): Argv<ManifestArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The program's folder" })
    .options(flags)
    .example(examples)
    .epilogue(notes) as unknown as Argv<ManifestArguments>
}

/** The options of a call. Throws `UsageError` for values that exclude each other or that have a wrong form. */
function checkedOptions(args: ManifestArguments): ManifestOptions {
  const { folder, vclusterVersion, image, vclusterName, selfSigned, renew, schema, kustomize } = args
  const mode = args.mode === undefined ? undefined : parseMode(args.mode)
  const { chart, runsPlugins } = parseRelease(vclusterVersion)
  if (mode === 'in-syncer' && !runsPlugins)
    throw new UsageError(
      `vcluster ${vclusterVersion} cannot run plugins in its container, which --mode in-syncer needs; use 0.19 or later`,
    )
  const { namespace = `vcluster-${vclusterName}` } = args
  checkChartFlags(args)
  checkLabel('--vcluster-name', vclusterName)
  checkLabel('--namespace', namespace)
  const pod = podOptionsOf(args)
  return {
    folder,
    chart,
    mode,
    image: checkedImage(image),
    vclusterName,
    namespace,
    requestedNamespace: args.namespace,
    operator: operatorOptionsOf(args),
    pod: hasPodOptions(pod) ? pod : undefined,
    selfSigned,
    renew,
    schema,
    helmChart: args.chart,
    kustomize,
  }
}

/** Throws if a chart is asked for together with a flag that only objects have. */
function checkChartFlags({ chart, namespace, uninstall, kustomize, cluster }: ManifestArguments): void {
  const flags = [namespace, kustomize, cluster]
  if (chart === undefined || (!uninstall && flags.every((flag) => flag === undefined))) return
  throw new UsageError(
    '--chart does not go with --namespace, --uninstall, --kustomize and --cluster: helm chooses the namespace, removes the release, and installs into one cluster',
  )
}

/** The options that only operators and plugins for CloudNativePG have. */
function operatorOptionsOf(args: ManifestArguments): ManifestOptions['operator'] {
  const { replicas, memory: memoryMiB, priorityClass, uninstall, cluster } = args
  const { noSecureMetrics, serviceMonitor, noNetworkPolicy } = args
  checkWholeNumber('--replicas', replicas, { min: 1 })
  checkWholeNumber('--memory', memoryMiB, { min: 1 })
  const metrics = {
    secureMetrics: !noSecureMetrics,
    serviceMonitor,
    networkPolicy: !noNetworkPolicy,
  }
  const apiServers = networksIn(args.apiServer)
  return { replicas, memoryMiB, priorityClass, uninstall, cluster, ...metrics, apiServers }
}

/** The networks of a flag. A wrong one would let no API server call the webhooks. */
function networksIn(text: string | undefined): string[] | undefined {
  const networks = text?.split(',').map((range) => range.trim())
  const wrong = networks?.find((range) => !isNetwork(range))
  if (wrong !== undefined)
    throw new UsageError(
      `--api-server: ${JSON.stringify(wrong)} is not a network; use one such as 10.0.0.1/32`,
    )
  return networks
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...excess] = text.split('/')
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return excess.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits
}
