const FLAGS = /^\(\?([ims]+)\)/
const compiled = new Map<string, RegExp>()

/**
 * A pattern of Go's regexp package as one of JavaScript: the two agree on what schemas use, but for flags at
 * the front, the ends of the text, and escapes. Throws a `SyntaxError` where that is not so.
 */
export function goRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const flags = FLAGS.exec(pattern)?.[1] ?? ''
  const source = pattern
    .replace(FLAGS, '')
    .replaceAll('\\z', '$')
    .replaceAll('\\A', '^')
    .replaceAll('(?P<', '(?<')
  const expression = compile(source, flags)
  compiled.set(pattern, expression)
  return expression
}

/** Unicode mode counts characters as Go does, but knows fewer escapes. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return new RegExp(source, flags)
  }
}
