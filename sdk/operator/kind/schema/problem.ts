/** A part of a kind that the API server cannot hold, or would hold differently than the schema says. */
export interface KindProblem {
  /** The path of the schema or the option, for example `spec.disk.size` or `spec.rules[]`. */
  readonly path: string
  /** The construct of zod or the option, for example `transform`. */
  readonly construct: string
  /** Why the schema is a problem, and what to write instead. */
  readonly message: string
}

/** A problem as one sentence. */
export function formatProblem({ path, construct, message }: KindProblem): string {
  return `${path}: ${construct} ${message}`
}

/**
 * A kind cannot be defined. `problems` has every reason, each with the path, the construct and the cure.
 *
 * @example
 * ```ts
 * try {
 *   defineKind({ group: 'example.com', version: 'v1', kind: 'Cache', spec: z.object({ at: z.date() }) })
 * } catch (error) {
 *   if (error instanceof InvalidKindError) console.error(error.problems)
 * }
 * ```
 */
export class InvalidKindError extends Error {
  override readonly name = 'InvalidKindError'
  readonly problems: readonly KindProblem[]

  constructor(kind: string, problems: readonly KindProblem[]) {
    super(`kind ${kind} cannot be defined:\n${problems.map((one) => `  ${formatProblem(one)}`).join('\n')}`)
    this.problems = problems
  }
}
