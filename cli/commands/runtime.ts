import type { Argv, CommandModule } from 'yargs'

interface RuntimeArguments {
  folder: string
}

const notes = `The Node that runs this command is copied with its loader and libraries, so run it on Linux, for the processor of the
cluster's nodes. The Dockerfile of a created plugin calls it in its target in-syncer.`

/** `vcluster-plugin runtime FOLDER`: puts Node beside a bundled plugin, to run inside vcluster's container. */
export const runtimeCommand: CommandModule<object, RuntimeArguments> = {
  command: 'runtime <folder>',
  describe: "Put Node beside a bundled plugin, to run inside vcluster's own container",
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
      describe: "Where the plugin's bundle is, as main.mjs",
    })
    .example('$0 runtime /plugin', 'add /plugin/runtime, and /plugin/plugin, which vcluster starts')
    .epilogue(notes)
}
