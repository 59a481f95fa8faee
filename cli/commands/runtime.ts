import type { Argv, CommandModule } from 'yargs'

interface RuntimeArguments {
  folder: string
}

const notes = `Copies the Node that runs this command, with its loader and libraries. Run it on Linux, on the CPU architecture of the
cluster's nodes.`

/** `vcluster-plugin runtime FOLDER`: adds Node to a bundled plugin, to run it in vcluster's container. */
export const runtimeCommand: CommandModule<object, RuntimeArguments> = {
  command: 'runtime <folder>',
  describe: "Add Node to a bundled plugin, to run it in vcluster's own container",
  builder: options,
  async handler({ folder }) {
    const { copyRuntime } = await import('../runtime/copy-runtime.js')
    await copyRuntime(folder)
  },
}

function options(yargs: Argv): Argv<RuntimeArguments> {
  return yargs
    .positional('folder', {
      type: 'string',
      demandOption: true,
      describe: "Folder with the plugin's bundle, main.mjs",
    })
    .example('$0 runtime /plugin', 'add /plugin/runtime, and /plugin/plugin, which vcluster starts')
    .epilogue(notes)
}
