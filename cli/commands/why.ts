import type { Argv, CommandModule } from 'yargs'
import type { WhyOptions } from '../why/why-options.js'
import { textFlag } from './flags.js'

interface WhyArguments {
  kind: string
  name: string
  namespace: string
  url: string | undefined
  dir: string
  output: WhyOptions['output']
}

const notes = `The plugin is asked by its inspector, which dev switches on and VCLUSTER_PLUGIN_INSPECT=1 does elsewhere; in a
cluster, kubectl port-forward brings it to --url.`

/** `vcluster-plugin why KIND NAME`: explains what a running plugin makes of one object. */
export const whyCommand: CommandModule<object, WhyArguments> = {
  command: 'why <kind> <name>',
  describe: 'Explain from a running plugin why an object is as it is on the other side',
  builder: options,
  async handler(args) {
    const { runWhy } = await import('../why/run-why.js')
    await runWhy(args)
  },
}

function options(yargs: Argv): Argv<WhyArguments> {
  return yargs
    .positional('kind', {
      type: 'string',
      demandOption: true,
      describe: 'As for kubectl: configmap, cm, cars.example.com',
    })
    .positional('name', { type: 'string', demandOption: true, describe: 'In the virtual cluster' })
    .options({
      namespace: textFlag('In the virtual cluster', { alias: 'n', default: 'default' }),
      url: textFlag("Where the plugin's metrics are served", {
        defaultDescription: 'the plugin that dev runs',
      }),
      dir: textFlag('Where dev has written its files', { default: '.vcluster-plugin' }),
      output: textFlag('How it is printed', {
        alias: 'o',
        default: 'text',
        choices: ['text', 'json', 'yaml'],
      }),
    })
    .example('$0 why configmap greeting -n default', 'of the plugin that dev runs here')
    .example('$0 why pod web --url http://127.0.0.1:9090', 'of a plugin behind a port-forward')
    .epilogue(notes) as unknown as Argv<WhyArguments>
}
