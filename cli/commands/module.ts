import type { Argv, CommandModule } from 'yargs'
import type { BuildOptions } from '../module/run-build.js'
import type { CheckOptions } from '../module/run-check.js'
import { textFlag } from './flags.js'

const notes = `A program installs an application, puts it to sleep, wakes and uninstalls it. Modules name it by a ConfigMap or a URL, and by its
digest.`

/** `vcluster-plugin module`: builds and checks programs of Modules. */
export const moduleCommand: CommandModule = {
  command: 'module',
  describe: 'Build or check a program of Modules',
  builder: (yargs) =>
    yargs
      .command([buildCommand, checkCommand] as unknown as CommandModule[])
      .demandCommand(1, 'The command is missing: build or check')
      .example('$0 module build .', 'the program of this folder')
      .epilogue(notes),
  handler: () => {},
}

const buildNotes = `Writes program.mjs, configmap.yaml (immutable, with the program in it) and module.yaml (a sample) to the folder. Needs
esbuild: npm install --save-dev esbuild. The program and its imports become one file of at most 8 MiB. Nothing is
minified, so stack traces stay readable. Programs of more than 128 KiB are stored as gzip; a ConfigMap holds 1 MiB. An
operator loads programs only from ConfigMaps of its own namespace, or of one that configMapNamespaces of its programs
names.

The ConfigMap is named by the program and its version, such as web-1-0-0. Raise the version for each change: the API
server refuses another content under the same name. Nothing removes the ConfigMaps of former versions: delete one when no
Module that names it is still to be installed or upgraded.`

const buildCommand: CommandModule<object, BuildOptions> = {
  command: 'build <entry>',
  describe: 'Bundle a program into one file, and write its ConfigMap and a sample Module',
  builder: (yargs) =>
    yargs
      .positional('entry', {
        type: 'string',
        describe: 'The source of the program, or a folder with a program.ts',
      })
      .options({
        out: textFlag('Folder for the files; they are overwritten', { default: 'dist' }),
        namespace: textFlag('Namespace of the objects', { alias: 'n', default: 'default' }),
        workspace: textFlag('Workspace of the sample Module', { default: 'default' }),
        'program-namespace': textFlag('Namespace of the ConfigMap, such as that of the operator', {
          defaultDescription: 'that of the objects',
        }),
      })
      .example('$0 module build src/shop.ts --out build/shop', 'another program')
      .epilogue(buildNotes) as unknown as Argv<BuildOptions>,
  async handler(args) {
    const { runBuild } = await import('../module/run-build.js')
    await runBuild(args)
  },
}

const checkNotes = `Loads it in a process without environment, files and credentials, within 10 s, and makes no manager. Prints its name,
size, digest and permissions.`

const checkCommand: CommandModule<object, CheckOptions> = {
  command: 'check <file>',
  describe: 'Load a built program as an operator does, and print what it is',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'The built program, for example dist/program.mjs' })
      .options({ digest: textFlag('Digest that the program must have') })
      .example('$0 module check dist/program.mjs', 'the program of module build')
      .epilogue(checkNotes) as unknown as Argv<CheckOptions>,
  async handler(args) {
    const { runCheck } = await import('../module/run-check.js')
    await runCheck(args)
  },
}
