import type { Argv, CommandModule } from 'yargs'
import { dnsLabelRule, isDnsLabel } from '../../sdk/kube/dns-label.js'
import { defaultRelease, parseRelease } from '../helm/vcluster-release.js'
import type { ManifestOptions } from '../manifest/manifest-options.js'
import { UsageError } from '../terminal/usage-error.js'
import { textFlag } from './flags.js'
import { modeOption, parseMode } from './plugin-mode.js'

interface ManifestArguments {
  folder: string
  vclusterVersion: string
  mode: string | undefined
  image: string | undefined
  vclusterName: string
  namespace: string | undefined
}

const notes = `The plugin's program is asked what it registers; no cluster is needed. The rules under rbac are those that its
syncers need on the host, written out even where the vcluster's own Role has them.`

/** `vcluster-plugin manifest FOLDER`: prints the Helm values that add a plugin to a vcluster. */
export const manifestCommand: CommandModule<object, ManifestArguments> = {
  command: 'manifest [folder]',
  describe: 'Print the Helm values that add a plugin to a vcluster, or what runs it on its own',
  builder: options,
  async handler(args) {
    const { printManifest } = await import('../manifest/print-manifest.js')
    await printManifest(checked(args))
  },
}

function options(yargs: Argv): Argv<ManifestArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .options({
      'vcluster-version': textFlag('Release of the vcluster', { default: defaultRelease }),
      mode: modeOption({ defaultDescription: 'sidecar; in-syncer for a plugin with interceptors' }),
      image: textFlag("The plugin's image", { defaultDescription: '<name>:dev' }),
      'vcluster-name': textFlag("The vcluster's name, for standalone", { default: 'my-vcluster' }),
      namespace: textFlag('Its namespace on the host, for standalone', {
        alias: 'n',
        defaultDescription: 'vcluster-<vcluster-name>',
      }),
    })
    .example('$0 manifest . > plugin.yaml', 'for charts since 0.20')
    .example('$0 manifest . --vcluster-version 0.19.10 > plugin.v0.19.yaml', 'for older charts')
    .example('$0 manifest . --mode standalone | kubectl apply -f -', 'a Deployment with its Role')
    .epilogue(notes) as unknown as Argv<ManifestArguments>
}

function checked({
  folder,
  vclusterVersion,
  image,
  vclusterName,
  ...rest
}: ManifestArguments): ManifestOptions {
  const mode = rest.mode === undefined ? undefined : parseMode(rest.mode)
  const { chart, runsPlugins } = parseRelease(vclusterVersion)
  if (mode === 'in-syncer' && !runsPlugins)
    throw new UsageError(
      `vcluster ${vclusterVersion} runs no plugins inside its container; take 0.19 or later`,
    )
  const { namespace = `vcluster-${vclusterName}` } = rest
  checkName('--vcluster-name', vclusterName)
  checkName('--namespace', namespace)
  return { folder, chart, mode, image, vclusterName, namespace }
}

function checkName(flag: string, value: string): void {
  if (!isDnsLabel(value)) throw new UsageError(`${flag} is ${JSON.stringify(value)}: ${dnsLabelRule}`)
}
