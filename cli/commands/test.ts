import type { Argv, CommandModule } from 'yargs'

interface TestArguments {
  folder: string
  watch: boolean
  only: string | undefined
}

const notes = `Every *.test.ts and *.test.js of the folder runs in a process of its own, under Node's own test runner; tests by tap
do, too. The status is 1 where one fails.`

/** `vcluster-plugin test FOLDER`: runs a plugin's tests, TypeScript included. */
export const testCommand: CommandModule<object, TestArguments> = {
  command: 'test [folder]',
  describe: "Run a plugin's tests",
  builder: options,
  async handler(args) {
    const { runTests } = await import('../test/run-tests.js')
    await runTests(args)
  },
}

function options(yargs: Argv): Argv<TestArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .options({
      watch: { type: 'boolean', default: false, describe: 'Run them again when a source changes' },
      only: { type: 'string', requiresArg: true, describe: 'Run those whose title matches this expression' },
    })
    .example('$0 test .', 'all of them')
    .example("$0 test . --watch --only 'dies'", 'the crash test, after every change')
    .epilogue(notes) as unknown as Argv<TestArguments>
}
