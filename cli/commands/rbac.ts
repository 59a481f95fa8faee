import type { Argv, CommandModule } from 'yargs'
import type { RbacOptions } from '../rbac/run-rbac.js'
import { booleanFlag, type Examples, type FlagTable, formatOf, outputFlag, textFlag } from './flags.js'
import { modeOption, parseMode } from './plugin-mode.js'

interface RbacArguments {
  folder: string
  mode: string
  side: string
  cluster: string | undefined
  namespace: string | undefined
  optional: boolean
  check: boolean
  record: boolean
  output: string
  kubeconfig: string | undefined
  context: string | undefined
}

const notes = `Runs the program to see what it registers; needs a cluster only with --check, which fails if a
permission is missing, and only reports excess ones.`

const flags: FlagTable = {
  mode: modeOption({ default: 'sidecar' }),
  side: textFlag('Cluster of the permissions', { default: 'host', choices: ['host', 'virtual'] }),
  cluster: textFlag('Cluster of the permissions, for an operator', { defaultDescription: 'its first' }),
  namespace: textFlag('Host namespace of the copies, or namespace of an operator', {
    alias: 'n',
    defaultDescription: '<name>-system for an operator',
  }),
  optional: booleanFlag('Include optional permissions, such as for Events'),
  record: booleanFlag(
    'Run an operator on embedded clusters with its samples, and add the permissions of its requests to --cluster',
  ),
  check: booleanFlag('Check credentials instead of printing the Role'),
  kubeconfig: textFlag('Kubeconfig with the credentials, for --check', {
    defaultDescription: "kubectl's",
  }),
  context: textFlag('Context in that kubeconfig', { defaultDescription: 'the current one' }),
  output: outputFlag('yaml'),
}

const examples: Examples = [
  ['$0 rbac . -n vcluster-my-vcluster | kubectl apply -f -', 'create the Role'],
  ['$0 rbac . --record -o table', 'with what an operator requests, too'],
  ['$0 rbac . -o table', 'show what needs each permission'],
  ['$0 rbac . --check --kubeconfig plugin.kubeconfig -n vcluster-my-vcluster -o table', 'check credentials'],
]

/**
 * `vcluster-plugin rbac FOLDER`: prints the minimal roles of a plugin or an operator, or checks credentials against
 * them.
 */
export const rbacCommand: CommandModule<object, RbacArguments> = {
  command: 'rbac [folder]',
  describe: 'Print the minimal roles of a plugin or an operator, or check credentials against them',
  builder: options,
  async handler(args) {
    const { runRbac } = await import('../rbac/run-rbac.js')
    await runRbac(optionsOf(args))
  },
}

function options(yargs: Argv): Argv<RbacArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: 'The folder of the plugin or operator' })
    .options(flags)
    .example(examples)
    .epilogue(notes) as unknown as Argv<RbacArguments>
}

function optionsOf({ mode, side, output, ...rest }: RbacArguments): RbacOptions {
  return {
    ...rest,
    mode: parseMode(mode),
    side: side === 'virtual' ? 'virtual' : 'host',
    output: formatOf(output),
  }
}
