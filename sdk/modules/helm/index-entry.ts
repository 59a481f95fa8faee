// The entry of one chart in the index.yaml of a repository.
import { valueAt } from '../../engine/kube/json-object.js'
import { readYaml } from '../../engine/kube/read-yaml.js'
import { checkYamlSize } from '../../engine/kube/yaml-size.js'

/** The maximum number of values of an index in JSON, which takes less memory than YAML. */
const maxJsonValues = 1_000_000
const entriesLine = /^entries:\s*(?:\s#.*)?$/s
/** No two repetitions of spaces meet: chart repositories write the lines, and a match must take linear time. */
const nameLine = /^ *(["']?)([\w.-]+)\1\s*:(?:\s*(?:\[\]|\{\}|null|~))?(?:\s+#.*|\s*)$/s

/**
 * The entry of one chart; undefined or null if the index has none. Indexes have many megabytes, and parsing them as
 * YAML would block the event loop for seconds: if each name has a line of its own, as in those of helm, only the lines
 * of the chart are parsed. An index in another layout is parsed as a whole. Rejects for one that cannot be read.
 */
export async function entryOf(index: string, chart: string): Promise<unknown> {
  const lines = linesOf(index, chart)
  try {
    if (lines) return await readYaml(quoteNumbers(lines.join('\n')))
    return valueAt(await parseIndex(index), ['entries', chart])
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new Error(`the index of the repository cannot be read: ${cause.message}`, { cause })
  }
}

/** The lines below the name of a chart, none if no line names it; undefined for an index in another layout. */
function linesOf(index: string, chart: string): readonly string[] | undefined {
  const lines = index.split('\n')
  const start = 1 + lines.findIndex((line) => entriesLine.test(line))
  const section = lines.slice(start)
  const indent = indentOf(section.find((line) => !isEmpty(line)) ?? '')
  if (start === 0 || indent <= 0) return undefined
  const found: string[] = []
  let isChart = false
  for (const line of section) {
    if (indentOf(line) > indent || isEmpty(line) || isItem(line, indent)) {
      if (isChart) found.push(line)
      continue
    }
    if (isChart || /^\S/.test(line)) break
    const name = indentOf(line) === indent ? nameLine.exec(line)?.[2] : undefined
    if (name === undefined) return undefined
    isChart = name === chart
  }
  return found
}

/** Whether a line is blank or a comment. */
const isEmpty = (line: string) => /^\s*(?:#|$)/.test(line)

/** The number of spaces at the beginning of a line; tabs do not indent in YAML. */
const indentOf = (line: string) => line.search(/[^ ]/)

/** Whether a line is an item of a list as deep as the name of its chart, which YAML permits. */
const isItem = (line: string, indent: number) => indentOf(line) === indent && /^ *-(?:\s|$)/.test(line)

/** A version or a digest that YAML would read as a number, such as `1.10`, is a text. */
const quoteNumbers = (text: string) =>
  text.replace(/^([ -]*(?:version|digest): +)(\d[\d.eE]*)(?=[ \t\r]*(?:[ \t]#.*)?$)/gm, "$1'$2'")

async function parseIndex(index: string): Promise<unknown> {
  if (!/^\s*\{/.test(index)) return readYaml(quoteNumbers(index))
  checkYamlSize(index, maxJsonValues)
  try {
    return JSON.parse(index)
  } catch {
    return readYaml(index) // Maps in brackets begin like JSON.
  }
}
