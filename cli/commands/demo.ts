import type { CommandModule } from 'yargs'
import { booleanFlag } from './flags.js'

interface DemoArguments {
  once: boolean
}

/** `vcluster-plugin demo`: runs a plugin that is part of this command. */
export const demoCommand: CommandModule<object, DemoArguments> = {
  command: 'demo',
  describe: 'Run a small plugin between two embedded clusters, to see what dev shows; nothing is kept',
  builder: (yargs) =>
    yargs
      .options({ once: booleanFlag('Mirror the samples, print a summary and exit') })
      .example('$0 demo', 'copy ConfigMaps until Ctrl-C') as never,
  async handler({ once }) {
    const { runDemo } = await import('../dev/run-demo.js')
    await runDemo({ once })
  },
}
