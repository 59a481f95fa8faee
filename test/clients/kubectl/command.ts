/** One kubectl command, as a test runs it; {@link kubectl} makes one. */
export interface KubectlCommand extends CommandOptions {
  /** Arguments; `$NS` in one is the story's namespace. */
  readonly args: readonly string[]
}

/** What a command needs, and how it goes. */
export interface CommandOptions {
  /** What it reads from its standard input; default nothing. */
  readonly input?: string
  /** The program that `kubectl edit` runs on the file it is given; default none. */
  readonly editor?: string
  /** The status it ends with; default 0. */
  readonly code?: number
  /** Why its text is not compared, only its status; by default the text is compared. */
  readonly statusOnly?: string
  /**
   * Why its text or status is another one on the embedded server; by default it is the same. The test fails when
   * it comes to be the same: then this goes.
   */
  readonly differs?: string
  /** Once its output (both kinds) matches, the commands of `meanwhile` run; default none. */
  readonly begun?: RegExp
  /** Commands that run beside it. */
  readonly meanwhile?: readonly KubectlCommand[]
  /** Once its standard output matches, it is ended, whatever status that gives; by default it ends by itself. */
  readonly until?: RegExp
}

/** Commands of one namespace that build on each other. */
export interface Story {
  /** Also the name of its namespace. */
  readonly name: string
  readonly commands: readonly KubectlCommand[]
}

/** A command as one would type it; single quotes hold an argument with spaces together. */
export function kubectl(line: string, options: CommandOptions = {}): KubectlCommand {
  const args = line.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  return { args: args.map((arg) => arg.replaceAll("'", '')), ...options }
}
