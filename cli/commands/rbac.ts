import type { Argv, CommandModule } from 'yargs'
import type { RbacOptions } from '../rbac/run-rbac.js'
import { booleanFlag, formatOf, outputFlag, textFlag } from './flags.js'
import { modeOption, parseMode } from './plugin-mode.js'

interface RbacArguments {
  folder: string
  mode: string
  side: string
  namespace: string | undefined
  optional: boolean
  check: boolean
  output: string
  kubeconfig: string | undefined
  context: string | undefined
}

const notes = `The plugin's program is asked what it registers; without --check no cluster is needed. With --check the status is 1 where
a right is missing, and 0 where there are too many, which is only told.`

/** `vcluster-plugin rbac FOLDER`: prints the least roles that a plugin needs, or compares them with credentials. */
export const rbacCommand: CommandModule<object, RbacArguments> = {
  command: 'rbac [folder]',
  describe: 'Print the least Role that a plugin needs, or check credentials against it',
  builder: options,
  async handler(args) {
    const { runRbac } = await import('../rbac/run-rbac.js')
    await runRbac(read(args))
  },
}

function options(yargs: Argv): Argv<RbacArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .options({
      mode: modeOption({ default: 'sidecar' }),
      side: textFlag('In which cluster', { default: 'host', choices: ['host', 'virtual'] }),
      namespace: textFlag('The host namespace of the copies', { alias: 'n' }),
      optional: booleanFlag('Also what the plugin can do without, such as Events'),
      check: booleanFlag('Compare with what credentials may do'),
      kubeconfig: textFlag('Whose credentials, with --check', { defaultDescription: "kubectl's" }),
      context: textFlag('Which context of it', { defaultDescription: 'the current one' }),
      output: outputFlag('yaml'),
    })
    .example('$0 rbac . -n vcluster-my-vcluster | kubectl apply -f -', 'make the Role')
    .example('$0 rbac . -o table', 'see what needs what')
    .example(
      '$0 rbac . --check --kubeconfig plugin.kubeconfig -n vcluster-my-vcluster -o table',
      'check credentials',
    )
    .epilogue(notes) as unknown as Argv<RbacArguments>
}

function read({ mode, side, output, ...rest }: RbacArguments): RbacOptions {
  return {
    ...rest,
    mode: parseMode(mode),
    side: side === 'virtual' ? 'virtual' : 'host',
    output: formatOf(output),
  }
}
