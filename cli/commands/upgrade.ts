import type { Argv, CommandModule } from 'yargs'
import { booleanFlag, textFlag } from './flags.js'

interface UpgradeArguments {
  folder: string
  write: boolean
  sdk: string | undefined
}

const notes = `create records what it wrote in .vcluster-plugin-template.json. The command writes the project again in memory, with the
templates of the installed SDK, and compares. With --write it takes over what you did not change; where you and the templates
changed a file it writes FILE.new. Install the new SDK first.`

/** `vcluster-plugin upgrade FOLDER`: says what changed in the templates since `create` wrote a project. */
export const upgradeCommand: CommandModule<object, UpgradeArguments> = {
  command: 'upgrade [folder]',
  describe: 'Say what changed in the templates since a project was created, and take it over',
  builder: options,
  async handler(args) {
    const { runUpgrade } = await import('../create/run-upgrade.js')
    await runUpgrade(args)
  },
}

function options(yargs: Argv): Argv<UpgradeArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The project's folder" })
    .options({
      write: booleanFlag('Write the changes'),
      sdk: textFlag('npm spec of the SDK: a version, or file:PATH', {
        defaultDescription: 'the source of this command',
      }),
    })
    .example('$0 upgrade', 'list the changes')
    .example('$0 upgrade --write', 'take them over')
    .epilogue(notes) as unknown as Argv<UpgradeArguments>
}
