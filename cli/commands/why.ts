import type { Argv, CommandModule } from 'yargs'
import type { WhyOptions } from '../why/why-options.js'
import { type Examples, type FlagTable, textFlag } from './flags.js'

interface WhyArguments {
  kind: string
  name: string
  namespace: string
  url: string | undefined
  dir: string
  output: WhyOptions['output']
}

const notes = `Asks the inspector of the plugin or operator. dev switches it on; elsewhere set VCLUSTER_PLUGIN_INSPECT=1. In a cluster, forward the
metrics port with kubectl port-forward and pass the address with --url.`

const flags: FlagTable = {
  namespace: textFlag('Its namespace; of a plugin, in the virtual cluster', {
    alias: 'n',
    default: 'default',
  }),
  url: textFlag('Address of the metrics of the program', {
    defaultDescription: 'the program that dev runs',
  }),
  dir: textFlag('Folder with the files of dev', { default: '.vcluster-plugin' }),
  output: textFlag('Output format', {
    alias: 'o',
    default: 'text',
    choices: ['text', 'json', 'yaml'],
  }),
}

const examples: Examples = [
  ['$0 why configmap greeting -n default', 'from the plugin that dev runs here'],
  ['$0 why memcached sessions', 'an object of an operator, with its release'],
  ['$0 why pod web --url http://127.0.0.1:9090', 'from a plugin behind a port-forward'],
]

/** `vcluster-plugin why KIND NAME`: explains the state of one object in a running program. */
export const whyCommand: CommandModule<object, WhyArguments> = {
  command: 'why <kind> <name>',
  describe: 'Explain the state of an object, from a running plugin or operator',
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
      describe: 'Kind as for kubectl: configmap, cm, cars.example.com',
    })
    .positional('name', {
      type: 'string',
      demandOption: true,
      describe: 'Name of the object; of a plugin, in the virtual cluster',
    })
    .options(flags)
    .example(examples)
    .epilogue(notes) as unknown as Argv<WhyArguments>
}
