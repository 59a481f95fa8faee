/** One mistake in a configuration, or in a schema of configurations. */
export interface ConfigProblem {
  /** For example `config.replicas` or `config[2].integer.max`. */
  readonly path: string
  /** For example `must be at most 5, got 7`. */
  readonly message: string
}

/** The configuration of a Module does not fit its schema, or the schema is wrong. `problems` has every mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ path, message }) => `${path} ${message}`).join('; '))
    this.problems = problems
  }
}
