import { patternProblem } from './pattern-problem.js'

const FLAGS = /^\(\?([ims]+)\)/
const compiled = new Map<string, RegExp>()

/** Classes that only Go knows by a name. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/**
 * A pattern of Go's regexp package as one of JavaScript: the two agree on what schemas use, but for flags at
 * the front, the ends of the text, names of classes and escapes. Throws a `SyntaxError` where Go does not take it.
 */
export function goRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const problem = patternProblem(pattern)
  if (problem !== undefined) throw new SyntaxError(problem)
  const flags = FLAGS.exec(pattern)?.[1] ?? ''
  const source = pattern
    .replace(FLAGS, '')
    .replaceAll('\\z', '$')
    .replaceAll('\\A', '^')
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\\([pP])([A-Z])/g, '\\$1{$2}')
    .replaceAll(/\[:(\w+):\]/g, (named, name: string) => CLASSES[name] ?? named)
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
