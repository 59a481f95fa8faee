import type { Argv, CommandModule } from 'yargs'
import { directions } from '../create/kind/direction.js'
import { defaultRelease } from '../helm/vcluster-release.js'
import { textFlag } from './flags.js'

interface CreateArguments {
  folder: string
  kind: string | undefined
  direction: string | undefined
  vclusterVersion: string | undefined
  name: string | undefined
  sdk: string | undefined
}

const notes = `On a terminal, what is not given is asked for; elsewhere the defaults hold. The folder must be new or empty.`

/** `vcluster-plugin create FOLDER`: writes a new plugin that installs, passes its tests and runs as it is. */
export const createCommand: CommandModule<object, CreateArguments> = {
  command: 'create <folder>',
  describe: 'Write a new plugin: a syncer, its tests, and what deploys it',
  builder: options,
  async handler(args) {
    const { runCreate } = await import('../create/run-create.js')
    await runCreate(args)
  },
}

function options(yargs: Argv): Argv<CreateArguments> {
  return yargs
    .positional('folder', { type: 'string', demandOption: true, describe: 'Where the plugin is written' })
    .options({
      kind: textFlag('What it copies: a built-in kind, or the file of a CustomResourceDefinition', {
        defaultDescription: 'configmaps',
      }),
      direction: textFlag('Which way: from the virtual cluster down to the host, up from it, or both', {
        choices: directions,
        defaultDescription: 'down',
      }),
      'vcluster-version': textFlag('Release of the vcluster', { defaultDescription: defaultRelease }),
      name: textFlag("The plugin's name", { defaultDescription: "the folder's" }),
      sdk: textFlag('What npm gets the SDK by: a version, or file:PATH', {
        defaultDescription: 'where this command came from',
      }),
    })
    .example('$0 create my-plugin', 'ask what it should copy')
    .example('$0 create my-plugin --kind ingresses --direction both', 'without a question')
    .example('$0 create my-plugin --kind car-crd.yaml', 'for a kind of your own')
    .epilogue(notes) as unknown as Argv<CreateArguments>
}
