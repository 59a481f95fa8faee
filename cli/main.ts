/**
 * The command line: parses the arguments, runs the command and sets the exit status. There is one file per command. A
 * command loads its modules when it runs, so `--help` and usage errors respond at once.
 *
 * The exit status is 0 on success, 1 if the command failed and 2 for wrong arguments, as with kubectl and npm. Each
 * failure prints one sentence to standard error.
 */
import yargs, { type CommandModule } from 'yargs'
import { hideBin } from 'yargs/helpers'
import { version } from '../sdk/engine/transport/version.js'
import { benchCommand } from './commands/bench.js'
import { bundleCommand } from './commands/bundle.js'
import { crdCommand } from './commands/crd.js'
import { createCommand } from './commands/create.js'
import { demoCommand } from './commands/demo.js'
import { devCommand } from './commands/dev.js'
import { doctorCommand } from './commands/doctor.js'
import { manifestCommand } from './commands/manifest.js'
import { moduleCommand } from './commands/module.js'
import { rbacCommand } from './commands/rbac.js'
import { runtimeCommand } from './commands/runtime.js'
import { testCommand } from './commands/test.js'
import { upgradeCommand } from './commands/upgrade.js'
import { whyCommand } from './commands/why.js'
import { failureText } from './terminal/failure-text.js'
import { nameMissing, quoteGiven, usageAdvice } from './terminal/usage-advice.js'
import { UsageError } from './terminal/usage-error.js'
import { usageMessage } from './terminal/usage-message.js'
import { watchOutputs } from './terminal/watch-outputs.js'

const programName = 'vcluster-plugin'
const maxColumns = 110

const commands = [
  benchCommand,
  bundleCommand,
  crdCommand,
  createCommand,
  demoCommand,
  devCommand,
  doctorCommand,
  manifestCommand,
  moduleCommand,
  rbacCommand,
  runtimeCommand,
  testCommand,
  upgradeCommand,
  whyCommand,
]

const notes = `The exit status is 0 on success, 1 if the command failed and 2 if its arguments are wrong. There are no colours if
NO_COLOR is set or the output is not a terminal. $0 <command> --help shows examples.`

async function run(args: readonly string[]): Promise<void> {
  const parser = yargs(args.length > 0 ? [...args] : ['--help'])
  await parser
    .scriptName(programName)
    .usage(
      '$0 <command>\n\nTools for developers of vcluster plugins, operators and plugins for CloudNativePG.',
    )
    // Each is a command of its own type.
    .command(commands as unknown as CommandModule[])
    .completion('completion', 'Print a script that completes commands and flags (bash, zsh)')
    .example('$0 create my-plugin', 'start a new plugin')
    .example('$0 completion >> ~/.bashrc', 'complete commands and flags with Tab')
    .epilogue(notes)
    .strict()
    .strictCommands()
    .demandCommand(1, 'The command is missing')
    .parserConfiguration({ 'boolean-negation': false })
    .help()
    .alias('help', 'h')
    .version(version)
    .locale('en')
    .wrap(Math.min(maxColumns, parser.terminalWidth()))
    .exitProcess(false)
    .fail(rejectUsage)
    .parseAsync()
}

/** The text of an error; for wrong arguments with what was probably meant. */
async function explain(error: unknown, args: readonly string[]): Promise<string> {
  if (error instanceof UsageError) {
    const commandLine = { program: programName, commands }
    const message = await nameMissing(quoteGiven(oneLine(error.message), args), args, commandLine)
    return `${message}.${await usageAdvice(message, args, commandLine)}`
  }
  return failureText(error)
}

/**
 * Turns a usage error of yargs, which is a message or a `YError`, into a `UsageError`; throws a command's error again.
 */
function rejectUsage(message: string, error: unknown): never {
  if (error && !(error instanceof Error && error.name === 'YError')) throw error
  throw new UsageError(usageMessage(message || String(Object(error).message)))
}

const oneLine = (text: string) =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')

const args = hideBin(process.argv)
const flushOutputs = watchOutputs([process.stdout, process.stderr])
try {
  await run(args)
  await flushOutputs()
} catch (error) {
  console.error(`${programName}: ${await explain(error, args)}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
  await flushOutputs().catch(() => {}) // The command has failed already.
}
// Exits although sockets or timers may still be open.
process.exit()
