import { typeProblem } from '../../engine/kube/type-words.js'

/** The line with which Helm begins its message about values that do not fit the schemas of the charts. */
const head = /^.*values don't meet the specifications of the schema\(s\) in the following chart\(s\):\n/

/** Whether a message of Helm is about values that do not fit a schema. */
export const isValuesProblem = (message: string): boolean => head.test(message)

/**
 * Helm's message about values that do not fit the schemas of charts as one line, such as `the values of the chart web
 * do not fit its schema: image.tag: must be a string, got a number; correct the values`. Another message as it is.
 */
export function valuesProblem(message: string): string {
  if (!isValuesProblem(message)) return message
  const charts: { name: string; problems: string[] }[] = []
  for (const line of message.replace(head, '').split('\n')) {
    const [, name] = /^(\S+):$/.exec(line) ?? []
    if (name !== undefined) charts.push({ name, problems: [] })
    else if (line.trim() !== '') charts.at(-1)?.problems.push(problemOf(line))
  }
  // A template may fail with a text of its own that begins like Helm's.
  if (charts.length === 0) return message
  const sentences = charts.map(
    ({ name, problems }) => `the values of the chart ${name} do not fit its schema: ${problems.join('; ')}`,
  )
  return `${sentences.join('. ')}; correct the values`
}

/** `- at '/image/tag': got number, want string` as `image.tag: must be a string, got a number`. */
function problemOf(line: string): string {
  const text = line.trim().replace(/^- /, '')
  const [, pointer, problem] = /^at '([^']*)': (.*)$/.exec(text) ?? []
  if (pointer === undefined || problem === undefined) return text
  return pointer === '' ? plainText(problem) : `${pathOf(pointer)}: ${plainText(problem)}`
}

/** The limits of a schema in words; those of a size come with the size that was found. */
const limits = new Map<string, readonly [limit: string, found: string, unit?: string]>([
  ['minimum', ['must be at least', 'got']],
  ['maximum', ['must be at most', 'got']],
  ['exclusiveMinimum', ['must be more than', 'got']],
  ['exclusiveMaximum', ['must be less than', 'got']],
  ['multipleOf', ['must be a multiple of', 'got']],
  ['minLength', ['must have at least', 'but has', 'characters']],
  ['maxLength', ['must have at most', 'but has', 'characters']],
  ['minItems', ['must have at least', 'but has', 'items']],
  ['maxItems', ['must have at most', 'but has', 'items']],
  ['minProperties', ['must have at least', 'but has', 'members']],
  ['maxProperties', ['must have at most', 'but has', 'members']],
])

/** A problem as the schema checker of Helm writes it, in plain words; another one as it is. */
function plainText(problem: string): string {
  const [, given, wanted] = /^got (\S+), want (.+)$/.exec(problem) ?? []
  if (given !== undefined && wanted !== undefined) return typeProblem({ wanted, given })
  const [, unknown] = /^additional propert(?:y|ies) (.+) not allowed$/.exec(problem) ?? []
  if (unknown !== undefined) return `unknown ${unknown.includes(', ') ? 'values' : 'value'} ${unknown}`
  const [, missing] = /^missing propert(?:y|ies) (.+)$/.exec(problem) ?? []
  if (missing !== undefined) return `${missing} ${missing.includes(', ') ? 'are' : 'is'} required`
  const [, rule = '', found, bound] = /^(\w+): got (\S+), want (\S+)$/.exec(problem) ?? []
  const [limit, has, unit] = limits.get(rule) ?? []
  if (limit === undefined) return problem.replace(/^value must/, 'must')
  const counted = bound === '1' ? unit?.replace(/s$/, '') : unit
  return `${[limit, bound, counted].filter(Boolean).join(' ')}, ${has} ${found}`
}

/** A JSON pointer as a path of values. */
function pathOf(pointer: string): string {
  const steps = pointer.slice(1).split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}
