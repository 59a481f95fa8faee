import type { Argv, CommandModule } from 'yargs'
import { checkWholeNumber } from '../terminal/whole-number.js'
import { formatOf, outputFlag } from './flags.js'

interface BenchArguments {
  folder: string
  objects: number
  changes: number
  sample: string | undefined
  output: string
}

const notes = `The clusters run in this process, the program in another: compare figures of one machine only. CPU time and memory are those
of the program's process, which also compiles its TypeScript, and are measured on Linux only.`

/** `vcluster-plugin bench FOLDER`: measures a plugin between two embedded clusters, or an operator on one. */
export const benchCommand: CommandModule<object, BenchArguments> = {
  command: 'bench [folder]',
  describe: 'Measure a plugin or an operator on embedded clusters: a cold start, then single changes',
  builder: options,
  async handler({ output, ...args }) {
    checkWholeNumber('--objects', args.objects, { min: 1 })
    checkWholeNumber('--changes', args.changes, { min: 1 })
    const { runBench } = await import('../bench/run-bench.js')
    await runBench({ ...args, output: formatOf(output) })
  },
}

function options(yargs: Argv): Argv<BenchArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The program's folder" })
    .options({
      objects: count(2000, 'Number of objects, each made from the sample'),
      changes: count(
        200,
        'Number of changes, one after the other; for an operator of objects that are created',
      ),
      sample: {
        type: 'string',
        requiresArg: true,
        describe: "File with the sample instead of the folder's samples.yaml; its last object is the sample",
      },
      output: outputFlag('table'),
    })
    .example('$0 bench .', '2000 objects')
    .example('$0 bench examples/memcached --objects 500', 'an operator')
    .example(
      '$0 bench . --objects 10000 --sample car.yaml -o json',
      '10,000 objects of another kind, figures as JSON',
    )
    .epilogue(notes) as unknown as Argv<BenchArguments>
}

const count = (fallback: number, describe: string) =>
  ({ type: 'number', requiresArg: true, default: fallback, describe }) as const
