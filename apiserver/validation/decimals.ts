import { memberPositions } from './member-paths.js'

/** A number with a fraction or an exponent, as the value of a member. */
const maybeDecimal = /:\s*-?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)/

/**
 * The members of a JSON text whose numbers have a fraction or an exponent, such as `1.0`, by their paths.
 * Go's decoder does not accept these as integers, and they cannot be detected in a parsed value.
 */
export function decimalsIn(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined || !maybeDecimal.test(text)) return none
  const decimals = memberPositions(text).flatMap(({ path, number }) =>
    number !== undefined && /[.eE]/.test(number) ? [[path, number] as const] : [],
  )
  return new Map(decimals)
}

const none: ReadonlyMap<string, string> = new Map()
