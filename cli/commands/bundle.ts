import type { Argv, CommandModule } from 'yargs'
import { UsageError } from '../terminal/usage-error.js'

interface BundleArguments {
  entry: string
  outfile: string
}

const notes = `It takes esbuild, which created plugins have: npm install --save-dev esbuild. What is imported late, by import(), lies in parts/
beside the outfile and is read when it is needed, so take the whole folder along. Nothing is minified: a stack trace can be read.`

/** `vcluster-plugin bundle ENTRY OUTFILE`: puts a plugin and all it imports into one folder. */
export const bundleCommand: CommandModule<object, BundleArguments> = {
  command: 'bundle [entry] [outfile]',
  describe: 'Put a plugin and all it imports into one folder that needs nothing but Node',
  builder: options,
  async handler({ entry, outfile }) {
    if (!outfile.endsWith('.mjs'))
      throw new UsageError(`a bundle is an ES module, so name it .mjs, not ${outfile}`)
    const { bundlePlugin } = await import('../bundle/bundle-plugin.js')
    const { file, startBytes, bytes } = await bundlePlugin({ entry, outfile })
    console.log(`${file}  ${kib(startBytes)} to start, ${kib(bytes)} in all`)
  },
}

function options(yargs: Argv): Argv<BundleArguments> {
  return yargs
    .positional('entry', { type: 'string', default: '.', describe: "The plugin's program, or its folder" })
    .positional('outfile', {
      type: 'string',
      default: 'dist/main.mjs',
      describe: 'What Node is to run; replaced',
    })
    .example('$0 bundle', 'dist/main.mjs, from this folder')
    .example('$0 bundle src/main.ts /plugin/main.mjs', 'another program and place, as in a Dockerfile')
    .epilogue(notes)
}

const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
