import { type ContextPlugin, type ContextSubject, HookContext } from './hook-context.js'

/** One refusal of a Cluster. */
export interface Refusal {
  /** In the Cluster, for example `['spec', 'plugins', '0', 'parameters', 'labels']`; never empty. */
  readonly path: readonly string[]
  readonly value: string
  readonly message: string
}

/** The context of `validateCreate` and `validateChange`. */
export class ValidateContext<P = Record<string, string>> extends HookContext<P> {
  readonly #refusals: Refusal[] = []

  constructor(plugin: ContextPlugin<P>, subject: ContextSubject) {
    super(plugin, subject)
    this.#refusals.push(
      ...this.parameterProblems.map(({ path, value, message }) => ({
        path: [...this.#parameterPath, ...path],
        value,
        message,
      })),
    )
  }

  /** All refusals so far: those of parameters that do not fit, and those of the hook. */
  get refusals(): readonly Refusal[] {
    return this.#refusals
  }

  /** Refuses a parameter, for example `ctx.refuse(['labels'], 'labels cannot be changed')`. */
  refuse(parameter: readonly string[], message: string): void {
    const value = this.entry?.parameters[parameter[0] ?? ''] ?? ''
    this.#refusals.push({ path: [...this.#parameterPath, ...parameter], value, message })
  }

  /** Refuses any field of the Cluster, for example `ctx.refuseField(['spec', 'instances'], '4', 'must be odd')`. */
  refuseField(path: readonly [string, ...string[]], value: string, message: string): void {
    this.#refusals.push({ path, value, message })
  }

  get #parameterPath(): readonly string[] {
    return this.entry?.path ?? ['spec', 'plugins']
  }
}
