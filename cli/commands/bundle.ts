import type { Argv, CommandModule } from 'yargs'
import { UsageError } from '../terminal/usage-error.js'

interface BundleArguments {
  entry: string
  outfile: string
  requireEngine: boolean
  compileCache?: number
}

const notes = `Needs esbuild, which created plugins have: npm install --save-dev esbuild. Modules that the plugin loads by import() go to
parts/ next to the outfile and are read on demand, so copy the whole folder. A program that renders Helm charts
gets the template engine there, if the installed SDK has it. Nothing is minified, so stack traces stay readable.`

/** `vcluster-plugin bundle ENTRY OUTFILE`: bundles a plugin and its dependencies into one folder. */
export const bundleCommand: CommandModule<object, BundleArguments> = {
  command: 'bundle [entry] [outfile]',
  describe: 'Bundle a program and its dependencies into one folder that needs only Node',
  builder: options,
  async handler({ entry, outfile, requireEngine, compileCache }) {
    if (!outfile.endsWith('.mjs'))
      throw new UsageError(`the outfile must end in .mjs because the bundle is an ES module, got ${outfile}`)
    if (compileCache !== undefined && !(Number.isInteger(compileCache) && compileCache >= 0))
      throw new UsageError('--compile-cache must be a user ID, such as 1000')
    const { bundlePlugin } = await import('../bundle/bundle-plugin.js')
    const { file, startBytes, bytes, notes } = await bundlePlugin({
      entry,
      outfile,
      requireEngine,
      compileCache,
    })
    console.log(`${file}  ${kib(startBytes)} at start, ${kib(bytes)} in total`)
    for (const note of notes) console.error(note)
  },
}

function options(yargs: Argv): Argv<BundleArguments> {
  return yargs
    .positional('entry', { type: 'string', default: '.', describe: "The program's main file or folder" })
    .positional('outfile', {
      type: 'string',
      default: 'dist/main.mjs',
      describe: 'The file for Node to run; overwritten',
    })
    .option('require-engine', {
      type: 'boolean',
      default: false,
      describe: 'Fail if the program renders charts and there is no template engine, as in an image',
    })
    .option('compile-cache', {
      type: 'number',
      describe:
        'Write a compile cache for processes of this user ID to parts/NAME/compile-cache, for NODE_COMPILE_CACHE',
    })
    .example('$0 bundle', 'dist/main.mjs, from this folder')
    .example('$0 bundle src/main.ts /plugin/main.mjs', 'another program and outfile, as in a Dockerfile')
    .epilogue(notes) as unknown as Argv<BundleArguments>
}

const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
