import type { Environment } from '../../engine/kube/environment.js'

/** A text that refers to a variable that is not set, or that is not closed. */
export class ExpansionError extends Error {
  override readonly name = 'ExpansionError'
}

const reference = /\$(?:\$|\{([^}]*)\}|([A-Za-z_]\w*)|(\{))/g
const braces = /^([A-Za-z_]\w*)(?::-([\s\S]*))?$/

/**
 * Replaces `$NAME` and `${NAME}` by variables of an environment, `${NAME:-text}` with a default for one that is not set
 * or empty, and `$$` by a dollar. A variable that is not set is empty, or with `isStrict` an {@link ExpansionError}.
 */
export function expandVariables(text: string, env: Environment, isStrict: boolean): string {
  return text.replace(reference, (whole: string, inBraces?: string, bare?: string, open?: string) => {
    if (whole === '$$') return '$'
    if (open !== undefined) throw new ExpansionError('a "{" after "$" has no "}"; write $$ for a dollar')
    const [, name, otherwise] = braces.exec(inBraces ?? bare ?? '') ?? []
    if (name === undefined)
      throw new ExpansionError(`${whole} does not name a variable; write $$ for a dollar`)
    const value = env[name]
    if (otherwise !== undefined) return value || otherwise
    if (value === undefined && isStrict)
      throw new ExpansionError(`the environment variable ${name} is not set`)
    return value ?? ''
  })
}
