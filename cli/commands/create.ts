import type { Argv, CommandModule } from 'yargs'
import { directions } from '../create/kind/direction.js'
import { type License, licenses } from '../create/programs/license.js'
import { defaultRelease } from '../helm/vcluster-release.js'
import { booleanFlag, type Examples, type FlagTable, textFlag } from './flags.js'

interface CreateArguments {
  folder: string
  kind: string | undefined
  direction: string | undefined
  vclusterVersion: string | undefined
  name: string | undefined
  sdk: string | undefined
  chart: string | undefined
  repo: string | undefined
  chartVersion: string | undefined
  api: string | undefined
  license: License | undefined
  git: boolean
}

const notes = `On a terminal, the command asks for missing flags; elsewhere it uses the defaults. The folder must be new or empty.
The following ask for nothing: --kind operator writes an operator with a kind of its own, a controller and its tests; --kind helm one that
keeps a release of a chart for each object of a kind; in the folder of a program, both add such a kind to it. --kind module writes an
operator of Modules, with a program that installs an application, puts it to sleep and wakes it; --kind cnpg a plugin for CloudNativePG:
its hooks, their tests and sample Clusters.`

const flags: FlagTable = {
  kind: textFlag(
    'Kind to copy: a built-in kind, or the file of a CustomResourceDefinition; or operator, module, cnpg, helm',
    {
      defaultDescription: 'configmaps',
    },
  ),
  direction: textFlag('Copy from the virtual cluster down to the host, up from the host, or both ways', {
    choices: directions,
    defaultDescription: 'down',
  }),
  'vcluster-version': textFlag('vcluster release', { defaultDescription: defaultRelease }),
  name: textFlag("The program's name", { defaultDescription: "the folder's name" }),
  chart: textFlag(
    'Helm chart for --kind helm: a folder, an archive, its URL, oci://…, or a name with --repo',
    {
      defaultDescription: 'a small one',
    },
  ),
  repo: textFlag('URL of the chart repository that has the chart'),
  'chart-version': textFlag('Version of a chart of a repository or registry, or a range of versions', {
    defaultDescription: 'the newest',
  }),
  api: textFlag('GROUP/VERSION/KIND of the custom resources, for --kind operator and helm', {
    defaultDescription: "a Website, or from the chart's name",
  }),
  license: textFlag('Licence of the program', { choices: licenses, defaultDescription: 'none' }),
  git: booleanFlag('Make a git repository, with the files staged'),
  sdk: textFlag('npm spec of the SDK: a version, or file:PATH', {
    defaultDescription: 'the source of this command',
  }),
}

const examples: Examples = [
  ['$0 create my-plugin', 'ask for the rest'],
  ['$0 create my-plugin --kind ingresses --direction both', 'without questions'],
  ['$0 create my-plugin --kind car-crd.yaml', 'for a custom kind'],
  ['$0 create my-operator --kind operator --api shop.my.domain/v1/Order', 'an operator'],
  [
    '$0 create my-operator --kind helm --chart web --repo https://charts.my.domain --chart-version ^1.2',
    'for a Helm chart',
  ],
  ['$0 create . --kind operator --api shop.my.domain/v1/Order', 'add a kind to a program'],
]

/** `vcluster-plugin create FOLDER`: writes a new program that installs, passes its tests and runs without changes. */
export const createCommand: CommandModule<object, CreateArguments> = {
  command: 'create <folder>',
  describe: 'Write a new plugin or operator: its code, its tests and its deployment files',
  builder: options,
  async handler(args) {
    const { runCreate } = await import('../create/run-create.js')
    await runCreate(args)
  },
}

function options(yargs: Argv): Argv<CreateArguments> {
  return yargs
    .positional('folder', { type: 'string', demandOption: true, describe: 'Folder for the program' })
    .options(flags)
    .example(examples)
    .epilogue(notes) as unknown as Argv<CreateArguments>
}
