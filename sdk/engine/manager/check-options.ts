import { nearestName } from '../kube/nearest-name.js'

/** The largest number of letters in which a misspelt option differs from the one that was meant. */
const maxDistance = 2

/** The options of a function: `object` for one that must be an object, `any` for one that is checked elsewhere. */
export type OptionTypes<Options> = Readonly<Record<keyof Options, 'any' | 'object'>>

/**
 * Throws a `TypeError` for options that a function does not have, or that are not objects: programs may run without a
 * check of their types, and a misspelt option would have no effect. `user` is the function, for the message.
 */
export function checkOptions<Options>(user: string, options: unknown, types: OptionTypes<Options>): void {
  const known = new Map<string, unknown>(Object.entries(types))
  for (const [name, value] of Object.entries(Object(options))) {
    if (!known.has(name))
      throw new TypeError(`${user} has no option ${name}; ${cureOf(name, [...known.keys()])}`)
    if (known.get(name) === 'object' && value !== undefined && (typeof value !== 'object' || value === null))
      throw new TypeError(
        `the option ${name} of ${user} must be an object, got ${value === null ? 'null' : `a ${typeof value}`}; leave it out for the default`,
      )
  }
}

function cureOf(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest && nearest.distance <= maxDistance
    ? `did you mean ${nearest.name}?`
    : `its options are ${known.join(', ')}`
}
