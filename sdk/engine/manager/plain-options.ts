import { isInstance, type OptionTypes } from './check-options.js'

/**
 * Options with all that they have as members of their own, so that a copy by `...` keeps it. Methods of an instance of
 * a class are on its prototype, where `...` does not find them; they are bound to the instance, whose private fields
 * they use. Other options are returned as they are.
 */
export function plainOptions<Options extends object>(
  options: Options,
  types: Partial<OptionTypes<Options>>,
): Options {
  if (!isInstance(options)) return options
  const members = Object.keys(types).flatMap((name) => {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined) return []
    return [[name, typeof value === 'function' ? (value.bind(options) as unknown) : value]]
  })
  return Object.fromEntries(members) as Options
}
