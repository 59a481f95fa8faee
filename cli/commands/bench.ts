import type { Argv, CommandModule } from 'yargs'
import { UsageError } from '../terminal/usage-error.js'
import { formatOf, outputFlag } from './flags.js'

interface BenchArguments {
  folder: string
  objects: number
  changes: number
  seed: string | undefined
  output: string
}

const notes = `Both clusters run in this process, beside the plugin: compare figures of one machine only. Processor time and memory are
the plugin's own, with its TypeScript compiled on the way, and are told on Linux alone.`

/** `vcluster-plugin bench FOLDER`: measures a plugin between two embedded clusters. */
export const benchCommand: CommandModule<object, BenchArguments> = {
  command: 'bench [folder]',
  describe: 'Measure a plugin between two embedded clusters: a cold start, then one change after the other',
  builder: options,
  async handler({ output, ...args }) {
    if (![args.objects, args.changes].every((count) => Number.isInteger(count) && count > 0))
      throw new UsageError('--objects and --changes are whole numbers from 1 on')
    const { runBench } = await import('../bench/run-bench.js')
    await runBench({ ...args, output: formatOf(output) })
  },
}

function options(yargs: Argv): Argv<BenchArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .options({
      objects: count(2000, 'How many objects there are, each like the sample'),
      changes: count(200, 'How many of them change, one after the other'),
      seed: {
        type: 'string',
        requiresArg: true,
        describe: "The file with the sample, in place of the folder's samples.yaml; its last object counts",
      },
      output: outputFlag('table'),
    })
    .example('$0 bench .', 'two thousand objects')
    .example('$0 bench . --objects 10000 --seed car.yaml -o json', 'more of another kind, for a script')
    .epilogue(notes) as unknown as Argv<BenchArguments>
}

const count = (fallback: number, describe: string) =>
  ({ type: 'number', requiresArg: true, default: fallback, describe }) as const
