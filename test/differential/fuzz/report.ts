import { differencesIn } from '../compare.js'
import { SEVERITIES, WORST } from './classify.js'
import type { DifferenceClass, SearchResult } from './search.js'

/** The number of differences, in total and of the worst classes, without known ones. */
export function summary({ sequences, compared, classes }: SearchResult): string {
  const unknown = classes.filter(({ expected }) => expected === undefined)
  const total = sum(unknown)
  const bySeverity = SEVERITIES.map(
    (severity) => `${severity} ${sum(unknown.filter((each) => each.severity === severity))}`,
  )
  const rate = ((100 * total) / Math.max(1, compared)).toFixed(2)
  return [
    `${compared} comparisons of ${sequences} sequences: ${total} differences (${rate} %) in ${unknown.length} classes`,
    `by severity: ${bySeverity.join(', ')}; known and not counted: ${sum(classes) - total}`,
    `worst (${WORST.join(', ')}): ${sum(unknown.filter(({ severity }) => WORST.includes(severity)))}`,
  ].join('\n')
}

const sum = (classes: readonly DifferenceClass[]) => classes.reduce((total, { count }) => total + count, 0)

/** One class with an example that can be repeated. */
export function formatClass(found: DifferenceClass, sequence = found.sequence): string {
  const { count, key, example, expected } = found
  return [
    `## ${count} × ${key}${expected === undefined ? '' : ` (known: ${expected})`}`,
    ...differencesIn(example.embedded, example.real),
    `  FUZZ_REPLAY='${JSON.stringify(sequence).replaceAll("'", "'\\''")}'`,
  ].join('\n')
}
