import yargs, { type Argv, type CommandModule } from 'yargs'
import { closestName } from './closest-name.js'

/** A command of the command line, and its known flags. */
type Command = Pick<CommandModule, 'command'> & { builder?: unknown }

/** The command line, for messages about it. */
interface CommandLine {
  program: string
  commands: readonly Command[]
}

/** Advice on wrong arguments: the name that was meant, if one is close, and the help of the command. */
export async function usageAdvice(
  message: string,
  args: readonly string[],
  { program, commands }: CommandLine,
): Promise<string> {
  const command = commands.find((candidate) => nameOf(candidate) === args[0])
  const [, value, choices] = /^--\S+ cannot be "([^"]*)"; use (.*)$/.exec(message) ?? []
  const [, unknown = value] = /^Unknown (?:command|argument)s?: ([^\s,]+)/.exec(message) ?? []
  const names = choices?.split(/, | or /) ?? (command ? await namesOf(command) : commands.map(nameOf))
  const meant = unknown === undefined ? undefined : closestName(unknown, names.map(bare))
  const question = meant === undefined ? '' : ` Did you mean ${names.find((name) => bare(name) === meant)}?`
  return `${question} Try "${[program, ...(command ? [args[0]] : []), '--help'].join(' ')}".`
}

/** The message about a missing argument, with all arguments of the command: `why <kind> <name>`. */
export async function nameMissing(
  message: string,
  args: readonly string[],
  { program, commands }: CommandLine,
): Promise<string> {
  const command = commands.find((candidate) => nameOf(candidate) === args[0])
  if (message !== 'An argument is missing' || command === undefined) return message
  const usage = await usageOf(command, args)
  return usage === undefined ? message : `${message}: ${program} ${usage}`
}

/** The arguments of a command, or of the command inside it that was given. */
async function usageOf(command: Command, [name, inner = '']: readonly string[]): Promise<string | undefined> {
  const own = String(command.command)
  if (own.includes('<')) return own
  const usages = [...(await helpOf(command)).matchAll(/^ +own (\S+ <.*?>)(?: {2}|$)/gm)].map(
    ([, text = '']) => text,
  )
  const usage = usages.find((text) => text.startsWith(`${inner} `))
  return usage && `${name} ${usage}`
}

/** The message about a flag that needs a number, with the text that was given: yargs reads it as NaN. */
export function quoteGiven(message: string, args: readonly string[]): string {
  const [, flag = ''] = /^(--\S+) must be .* got something that is not a number$/.exec(message) ?? []
  const values = args.flatMap((arg, index) => {
    if (arg === flag) return args[index + 1] ?? []
    return flag !== '' && arg.startsWith(`${flag}=`) ? arg.slice(flag.length + 1) : []
  })
  const [text] = values
  return text === undefined
    ? message
    : message.replace(/something that is not a number$/, JSON.stringify(text))
}

const nameOf = ({ command }: Command): string => String([command].flat()[0]).split(' ')[0] ?? ''

/** A flag without its dashes and without `no-`: `--wach` may mean `--no-watch`. */
const bare = (name: string) => name.replace(/^--(no-)?/, '')

/** The flags of a command, such as `--once`, and its own commands, from its help. */
async function namesOf(command: Command): Promise<string[]> {
  const help = await helpOf(command)
  const flags = [...help.matchAll(/--[a-z][a-z-]*/g)].map(([name]) => name)
  const commands = [...help.matchAll(/^ +own ([a-z]+) /gm)].map(([, name = '']) => name)
  return [...new Set([...commands, ...flags])]
}

/** The help of a command, in which its own commands begin with `own`. */
function helpOf({ builder }: Command): Promise<string> {
  const parser = yargs([]).scriptName('own').help().version(false).wrap(null)
  if (typeof builder === 'function') (builder as (yargs: Argv) => unknown)(parser)
  return parser.getHelp()
}
