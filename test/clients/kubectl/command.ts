/** A kubectl command of a test, created by {@link kubectl}. */
export interface KubectlCommand extends CommandOptions {
  /** Arguments; `$NS` is replaced by the story's namespace. */
  readonly args: readonly string[]
}

/** The input and the expected result of a command. */
export interface CommandOptions {
  /** Its standard input; default nothing. */
  readonly input?: string
  /** The program that `kubectl edit` runs with the file; default none. */
  readonly editor?: string
  /** The expected exit status; default 0. */
  readonly code?: number
  /** The reason why only the status is compared, not the text; by default the text is compared. */
  readonly statusOnly?: string
  /**
   * The reason why the text or status differs on the embedded server; by default they must be equal. The test
   * fails if they are equal: then remove this reason.
   */
  readonly differs?: string
  /** When the output (of both streams) matches, the commands of `meanwhile` run; default none. */
  readonly begun?: RegExp
  /** Commands that run at the same time. */
  readonly meanwhile?: readonly KubectlCommand[]
  /**
   * When the standard output matches, the command is killed, and its status is ignored; by default it exits
   * by itself.
   */
  readonly until?: RegExp
}

/** Commands of one namespace that build on each other. */
export interface Story {
  /** The name; also the name of its namespace. */
  readonly name: string
  readonly commands: readonly KubectlCommand[]
}

/** A command as typed; single quotes group an argument with spaces. */
export function kubectl(line: string, options: CommandOptions = {}): KubectlCommand {
  const args = line.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  return { args: args.map((arg) => arg.replaceAll("'", '')), ...options }
}
