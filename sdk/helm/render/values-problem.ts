/** The line with which Helm begins its message about values that do not fit the schemas of the charts. */
const head = /^.*values don't meet the specifications of the schema\(s\) in the following chart\(s\):\n/

/** Whether a message of Helm is about values that do not fit a schema. */
export const isValuesProblem = (message: string): boolean => head.test(message)

/**
 * Helm's message about values that do not fit the schemas of charts as one line, such as `the values of the chart web
 * do not fit its schema: image.tag: got number, want string; correct the values`. Another message as it is.
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

/** `- at '/image/tag': got number, want string` as `image.tag: got number, want string`. */
function problemOf(line: string): string {
  const text = line.trim().replace(/^- /, '')
  const [, pointer, problem] = /^at '([^']*)': (.*)$/.exec(text) ?? []
  if (pointer === undefined || problem === undefined) return text
  return pointer === '' ? problem : `${pathOf(pointer)}: ${problem}`
}

/** A JSON pointer as a path of values. */
function pathOf(pointer: string): string {
  const steps = pointer.slice(1).split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}
