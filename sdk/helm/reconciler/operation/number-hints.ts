import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import type { ReleaseRun } from '../run/release-run.js'

/** The smallest number that Go prints with an exponent. */
const exponentFrom = 1_000_000
/** The most numbers for which a manifest is searched, because users write them. */
const maxNumbers = 1_000

/**
 * Writes an Event that names the values that the chart prints with an exponent, such as `1e+06`: Helm reads numbers as
 * floats, and prints large ones this way.
 */
export function reportLargeNumbers(run: ReleaseRun, { values, rendered }: WantedRelease): void {
  const numbers = findLargeNumbers(values).slice(0, maxNumbers)
  const printed = numbers.filter(({ text }) => rendered.manifest.includes(text))
  if (printed.length === 0) return
  const hints = printed.map(({ path, text }) => `${path} as ${text}`).join(', ')
  const message = `the chart of ${run.release.name} prints ${hints}; use text in place of the number, or \`int\` in the template`
  run.ctx.events.warning('LargeNumber', message)
}

/** A value that Go prints with an exponent. */
interface LargeNumber {
  readonly path: string
  /** The number as Go prints it. */
  readonly text: string
}

/** Finds the large numbers in a value, at any depth. */
function findLargeNumbers(value: unknown, path = ''): LargeNumber[] {
  if (isLargeInteger(value)) return [{ path, text: goText(Number(value)) }]
  if (Array.isArray(value)) return value.flatMap((item, index) => findLargeNumbers(item, `${path}[${index}]`))
  if (!isJsonObject(value)) return []
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`)
  return Object.entries(value).flatMap(([name, item]) => findLargeNumbers(item, pathOf(name)))
}

const isLargeInteger = (value: unknown) =>
  (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) &&
  Math.abs(Number(value)) >= exponentFrom

/** As Go's `%v`, whose exponents have two digits at least. */
const goText = (value: number) => value.toExponential().replace(/e\+(\d)$/, 'e+0$1')
