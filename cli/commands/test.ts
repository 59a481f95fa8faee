import type { Argv, CommandModule } from 'yargs'

interface TestArguments {
  folder: string
  watch: boolean
  only: string | undefined
}

const notes = `Runs each *.test.ts and *.test.js of the folder in its own process, under Node's test runner. Tests that use tap run as
well.`

/** `vcluster-plugin test FOLDER`: runs a plugin's tests, TypeScript included. */
export const testCommand: CommandModule<object, TestArguments> = {
  command: 'test [folder]',
  describe: "Run a program's tests",
  builder: options,
  async handler(args) {
    const { runTests } = await import('../test/run-tests.js')
    await runTests(args)
  },
}

function options(yargs: Argv): Argv<TestArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The program's folder" })
    .options({
      watch: { type: 'boolean', default: false, describe: 'Run the tests again when a source file changes' },
      only: {
        type: 'string',
        requiresArg: true,
        describe: 'Run only tests whose title matches this regular expression',
      },
    })
    .example('$0 test .', 'all tests')
    .example("$0 test . --watch --only 'crash'", 'the crash test, after every change')
    .epilogue(notes) as unknown as Argv<TestArguments>
}
