import { CallContext, type ContextPlugin, type ContextSubject } from './call-context.js'
import type { ClusterValidateContext, Refusal } from './contexts.js'

/** The context of `validateCreate` and `validateChange`. */
export class ValidateCallContext<P = Record<string, string>>
  extends CallContext<P>
  implements ClusterValidateContext<P>
{
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
