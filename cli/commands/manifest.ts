import type { Argv, CommandModule } from 'yargs'
import { defaultRelease, parseRelease } from '../helm/vcluster-release.js'
import type { ManifestOptions } from '../manifest/manifest-options.js'
import { UsageError } from '../terminal/usage-error.js'
import { textFlag } from './flags.js'
import { checkLabel } from './names.js'
import { modeOption, parseMode } from './plugin-mode.js'

interface ManifestArguments {
  folder: string
  vclusterVersion: string
  mode: string | undefined
  image: string | undefined
  vclusterName: string
  namespace: string | undefined
}

const notes = `Runs the plugin's program to see what it registers; needs no cluster. The rules under rbac are all that the plugin
needs on the host, including those that the vcluster's own Role already has.`

/** `vcluster-plugin manifest FOLDER`: prints Helm values that add a plugin to a vcluster. */
export const manifestCommand: CommandModule<object, ManifestArguments> = {
  command: 'manifest [folder]',
  describe: 'Print Helm values that add a plugin to a vcluster, or objects that run it standalone',
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
      'vcluster-version': textFlag('vcluster release', { default: defaultRelease }),
      mode: modeOption({ defaultDescription: 'sidecar; in-syncer for a plugin with interceptors' }),
      image: textFlag("The plugin's image", { defaultDescription: '<name>:dev' }),
      'vcluster-name': textFlag("The vcluster's name, in standalone mode", { default: 'my-vcluster' }),
      namespace: textFlag("The vcluster's host namespace, in standalone mode", {
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
      `vcluster ${vclusterVersion} cannot run plugins in its container, which --mode in-syncer needs; use 0.19 or later`,
    )
  const { namespace = `vcluster-${vclusterName}` } = rest
  checkLabel('--vcluster-name', vclusterName)
  checkLabel('--namespace', namespace)
  return { folder, chart, mode, image, vclusterName, namespace }
}
