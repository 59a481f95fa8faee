import type { Argv, CommandModule } from 'yargs'
import { formatOf, outputFlag, textFlag } from './flags.js'

interface DoctorArguments {
  folder: string
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  kubeconfigs: string | undefined
  namespace: string | undefined
  output: string
}

const notes = `Changes nothing. Checks of clusters that neither a flag nor a variable names are skipped. The exit status is 1 if a check failed.`

/** `vcluster-plugin doctor`: checks what a program needs to run, and says what to do. */
export const doctorCommand: CommandModule<object, DoctorArguments> = {
  command: 'doctor [folder]',
  describe: 'Check what a plugin or an operator needs to run: Node, clusters, permissions, versions, clocks',
  builder: options,
  async handler({ output, ...args }) {
    const { runDoctor } = await import('../doctor/run-doctor.js')
    await runDoctor({ ...args, output: formatOf(output) })
  },
}

function options(yargs: Argv): Argv<DoctorArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The program's folder" })
    .options({
      kubeconfig: textFlag('Kubeconfig of the host cluster', {
        defaultDescription: "HOST_KUBECONFIG, or kubectl's",
      }),
      context: textFlag('Context in that kubeconfig', { defaultDescription: 'the current one' }),
      virtual: textFlag('Kubeconfig of the virtual cluster', { defaultDescription: 'VIRTUAL_KUBECONFIG' }),
      kubeconfigs: textFlag('Folder with NAME.kubeconfig of each further cluster of an operator', {
        defaultDescription: 'CLUSTER_KUBECONFIGS',
      }),
      namespace: textFlag(
        'Host namespace of the vcluster; of an operator or a plugin for CloudNativePG, its own',
        {
          alias: 'n',
          defaultDescription: "the context's, or the operator's",
        },
      ),
      output: outputFlag('table'),
    })
    .example('$0 doctor', 'this machine, and the cluster that kubectl uses')
    .example('$0 doctor . -n vcluster-my-vcluster -o json', 'and the vcluster in that namespace, as JSON')
    .epilogue(notes) as unknown as Argv<DoctorArguments>
}
