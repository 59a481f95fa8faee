import type { Argv, CommandModule } from 'yargs'
import type { CrdCommandOptions } from '../crd/run-crd.js'
import type { MigrateOptions } from '../crd/run-migrate.js'
import { booleanFlag, textFlag } from './flags.js'

interface CrdArguments extends Omit<CrdCommandOptions, 'output'> {
  output: string
}

const notes = `Loads the module that exports the kinds: the path itself, "vcluster-plugin": { "kinds": … } of the folder's package.json, or
kinds.ts. Needs a cluster only with --live and for migrate. Warnings go to standard error. A check lists every change; the exit
status is 1 if one of them breaks objects that exist, if the file is stale, or if an object in the cluster does not fit.`

/** `vcluster-plugin crd PATH`: prints the definitions of kinds, or compares them with a file or a cluster. */
export const crdCommand: CommandModule<object, CrdArguments> = {
  command: 'crd [path]',
  describe: 'Print the CustomResourceDefinitions of your kinds, or check them',
  builder: options,
  async handler({ output, ...rest }) {
    const { runCrd } = await import('../crd/run-crd.js')
    await runCrd({ ...rest, output: output === 'json' ? 'json' : 'yaml' })
  },
}

const clusterFlags = {
  kubeconfig: textFlag('Kubeconfig of the cluster', { defaultDescription: "kubectl's" }),
  context: textFlag('Context in that kubeconfig', { defaultDescription: 'the current one' }),
}

/** The second argument is documented, and missing from the types. */
interface LocalFlags {
  global(names: readonly string[], isGlobal: boolean): Argv
}

function options(yargs: Argv): Argv<CrdArguments> {
  const flags = yargs
    .command(migrateCommand)
    .positional('path', {
      type: 'string',
      default: '.',
      describe: 'The module that exports the kinds, or its folder',
    })
    .options({
      check: textFlag('Compare with the definitions in this file'),
      live: booleanFlag('Compare with the definitions and the objects of a cluster'),
      ...clusterFlags,
      output: textFlag('Output format', { alias: 'o', choices: ['yaml', 'json'], default: 'yaml' }),
    })
  // `crd migrate` has flags of its own.
  return (flags as unknown as LocalFlags)
    .global(['path', 'check', 'live', 'output'], false)
    .example('$0 crd . > crds.yaml', 'write the definitions')
    .example('$0 crd . --check crds.yaml', 'fail in CI if the file is stale')
    .example('$0 crd . --live', 'find objects that a new schema would refuse')
    .epilogue(notes) as unknown as Argv<CrdArguments>
}

const migrateNotes = `Writes every object once, and then removes other versions from status.storedVersions of the definition. It can be
interrupted and run again. Needs get, list and update of the objects, and get of the definition and patch of its status.`

/** `vcluster-plugin crd migrate NAME`: rewrites the objects of a kind in the storage version. */
const migrateCommand: CommandModule<object, MigrateOptions> = {
  command: 'migrate <definition>',
  describe: 'Store every object of a kind in the storage version',
  builder: (yargs) =>
    yargs
      .positional('definition', {
        type: 'string',
        describe: 'Name of the definition, for example caches.example.com',
      })
      .options(clusterFlags)
      .example('$0 crd migrate caches.example.com', 'before a version is removed')
      .epilogue(migrateNotes) as unknown as Argv<MigrateOptions>,
  async handler(args) {
    const { runMigrate } = await import('../crd/run-migrate.js')
    await runMigrate(args)
  },
}
