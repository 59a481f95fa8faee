import { nearestName } from '../kube/nearest-name.js'

/** The largest number of letters in which a misspelt option differs from the one that was meant. */
const maxDistance = 2

/** The check of an option: none, that it is an object, or also that of its members. */
type OptionType = 'any' | 'object' | { readonly [name: string]: OptionType }

/** The options of a function: `object` for one that must be an object, `any` for one that is checked elsewhere. */
export type OptionTypes<Options> = Readonly<Record<keyof Options, OptionType>>

/**
 * Throws a `TypeError` for options that a function does not have, or that are not objects: programs may run without a
 * check of their types, and a misspelt option would have no effect. `user` is the function, for the message. An
 * instance of a class may have members of its own.
 */
export function checkOptions<Options>(user: string, options: unknown, types: OptionTypes<Options>): void {
  const known = types as Readonly<Record<string, OptionType>>
  for (const [name, value] of Object.entries(Object(options))) {
    const type = Object.hasOwn(known, name) ? known[name] : undefined
    if (type === undefined && !isInstance(options)) throw noOptionError(user, name, Object.keys(known))
    if (type === undefined || type === 'any' || value === undefined) continue
    if (typeof value !== 'object' || value === null) throw notObjectError(user, name, value)
    if (type !== 'object') checkOptions<Record<string, unknown>>(`${name} of ${user}`, value, type)
  }
}

/**
 * Throws a `TypeError` for a misspelt option only. It is for classes that programs extend, whose subclasses may pass on
 * options of their own, most often a name or a namespace. An option that begins with another one, such as `selector`
 * with `select`, is one of a subclass.
 */
export function checkSpelling<Options>(user: string, options: unknown, types: OptionTypes<Options>): void {
  const known = Object.keys(types)
  const permitted = [...known, 'name', 'namespace']
  for (const name of Object.keys(Object(options))) {
    const isPermitted = permitted.some((one) => name.startsWith(one))
    if (!isPermitted && nearOption(name, known) !== undefined) throw noOptionError(user, name, known)
  }
}

/** Checks the options in a list or in a map, for example in `permissions`. */
export function checkEachOption<Options>(
  user: string,
  members: Readonly<Record<string, unknown>>,
  types: OptionTypes<Options>,
): void {
  for (const [name, all] of Object.entries(members))
    for (const [key, options] of Object.entries(Object(all)))
      checkOptions(`${name}${Array.isArray(all) ? `[${key}]` : `.${key}`} of ${user}`, options, types)
}

/** Whether options are an instance of a class. */
export function isInstance(options: unknown): boolean {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const prototype: unknown = Object.getPrototypeOf(options)
  return prototype !== null && prototype !== Object.prototype
}

function notObjectError(user: string, name: string, value: unknown): TypeError {
  return new TypeError(
    `the option ${name} of ${user} must be an object, got ${value === null ? 'null' : `a ${typeof value}`}; leave it out for the default`,
  )
}

function noOptionError(user: string, name: string, known: readonly string[]): TypeError {
  const near = nearOption(name, known)
  const cure = near === undefined ? `its options are ${known.join(', ')}` : `did you mean ${near}?`
  return new TypeError(`${user} has no option ${name}; ${cure}`)
}

/** The option that a misspelt name means; undefined for a name that is like none. */
function nearOption(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known)
  return nearest && nearest.distance <= maxDistance ? nearest.name : undefined
}
