import { differencesIn } from '../compare.js'
import { severities, worstSeverities } from './classify.js'
import type { DifferenceClass, SearchResult } from './search.js'

/** The share of compared requests with an unknown difference, in percent. */
export function unknownPercent({ compared, classes }: SearchResult): number {
  return (100 * sum(classes.filter(({ expected }) => expected === undefined))) / Math.max(1, compared)
}

/** The number of differences, in total and of the worst classes, without known ones. */
export function summary(result: SearchResult): string {
  const { sequences, compared, classes } = result
  const unknown = classes.filter(({ expected }) => expected === undefined)
  const total = sum(unknown)
  const bySeverity = severities.map(
    (severity) => `${severity} ${sum(unknown.filter((each) => each.severity === severity))}`,
  )
  return [
    `${compared} comparisons of ${sequences} sequences: ${total} differences (${unknownPercent(result).toFixed(2)} %) in ${unknown.length} classes`,
    `by severity: ${bySeverity.join(', ')}; known and not counted: ${sum(classes) - total}`,
    `worst (${worstSeverities.join(', ')}): ${sum(unknown.filter(({ severity }) => worstSeverities.includes(severity)))}`,
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
