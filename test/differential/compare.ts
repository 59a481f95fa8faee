import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import type { CallOutcome } from './normalise.js'

/** The first difference between two servers as text; `undefined` if there is none. */
export function firstDifference(
  embedded: readonly CallOutcome[],
  real: readonly CallOutcome[],
): string | undefined {
  for (const [at, expected] of real.entries()) {
    const found = embedded[at]
    if (isDeepStrictEqual(found, expected)) continue
    return `step ${at + 1}, ${expected.step}\n${differenceOf(found, expected, '').join('\n')}`
  }
  return undefined
}

/** One line for each place at which two responses differ. */
export function differencesIn(embedded: unknown, real: unknown): string[] {
  return differenceOf(embedded, real, '')
}

function differenceOf(found: unknown, expected: unknown, path: string): string[] {
  if (isDeepStrictEqual(found, expected)) return []
  if (!isContainer(found) || !isContainer(expected) || Array.isArray(found) !== Array.isArray(expected)) {
    return [`  ${path}: embedded ${show(found)}, real ${show(expected)}`]
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)])
  return [...keys].flatMap((key) => differenceOf(found[key], expected[key], `${path}.${key}`))
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  return typeof value === 'object' ? `\n${stringify(value)}` : JSON.stringify(value)
}
