import type { Argv, CommandModule } from 'yargs'
import { formatOf, outputFlag, textFlag } from './flags.js'

interface DoctorArguments {
  folder: string
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  namespace: string | undefined
  output: string
}

const notes = `Nothing is changed. What cannot be looked at, because no cluster is named, is skipped; the status is 1 where something
would keep a plugin from running.`

/** `vcluster-plugin doctor`: looks at everything that a plugin needs, and says what to do. */
export const doctorCommand: CommandModule<object, DoctorArguments> = {
  command: 'doctor [folder]',
  describe: 'Look for what keeps a plugin from running: Node, ports, clusters, versions, clocks',
  builder: options,
  async handler({ output, ...args }) {
    const { runDoctor } = await import('../doctor/run-doctor.js')
    await runDoctor({ ...args, output: formatOf(output) })
  },
}

function options(yargs: Argv): Argv<DoctorArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .options({
      kubeconfig: textFlag('The host cluster', { defaultDescription: 'HOST_KUBECONFIG, or kubectl’s' }),
      context: textFlag('Which context of it', { defaultDescription: 'the current one' }),
      virtual: textFlag("The virtual cluster's kubeconfig", { defaultDescription: 'VIRTUAL_KUBECONFIG' }),
      namespace: textFlag("The vcluster's namespace on the host", {
        alias: 'n',
        defaultDescription: 'of the context',
      }),
      output: outputFlag('table'),
    })
    .example('$0 doctor', 'this machine, and the cluster that kubectl uses')
    .example('$0 doctor . -n vcluster-my-vcluster -o json', 'with the vcluster there, for a script')
    .epilogue(notes) as unknown as Argv<DoctorArguments>
}
