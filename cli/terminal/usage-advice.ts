import yargs, { type Argv, type CommandModule } from 'yargs'
import { closestName } from './closest-name.js'

/** A command of the command line, and its known flags. */
type Command = Pick<CommandModule, 'command'> & { builder?: unknown }

/** Advice on wrong arguments: the name that was meant, if one is close, and the help of the command. */
export async function usageAdvice(
  message: string,
  args: readonly string[],
  { program, commands }: { program: string; commands: readonly Command[] },
): Promise<string> {
  const command = commands.find((candidate) => nameOf(candidate) === args[0])
  const [, value, choices] = /^--\S+ cannot be "([^"]*)"; use (.*)$/.exec(message) ?? []
  const [, unknown = value] = /^Unknown (?:command|argument)s?: ([^\s,]+)/.exec(message) ?? []
  const names = choices?.split(/, | or /) ?? (command ? await namesOf(command) : commands.map(nameOf))
  const meant = unknown === undefined ? undefined : closestName(unknown, names.map(bare))
  const question = meant === undefined ? '' : ` Did you mean ${names.find((name) => bare(name) === meant)}?`
  return `${question} Try "${[program, ...(command ? [args[0]] : []), '--help'].join(' ')}".`
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
async function namesOf({ builder }: Command): Promise<string[]> {
  const parser = yargs([]).scriptName('own').help().version(false)
  if (typeof builder === 'function') (builder as (yargs: Argv) => unknown)(parser)
  const help = await parser.getHelp()
  const flags = [...help.matchAll(/--[a-z][a-z-]*/g)].map(([name]) => name)
  const commands = [...help.matchAll(/^ +own ([a-z]+) /gm)].map(([, name = '']) => name)
  return [...new Set([...commands, ...flags])]
}
