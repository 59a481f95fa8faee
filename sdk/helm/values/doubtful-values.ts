/**
 * Finds values that a chart probably does not mean: keys that nothing in it names, and values of another type than the
 * default. A chart without a schema accepts both in silence, and so does Helm. The `values.yaml` of a chart is not a
 * schema, as maps may be open and defaults empty; so only what is certain enough counts, and by default it is a warning
 * ([ADR 78](../../../docs/adr/0078-values-that-a-chart-does-not-mean.md)).
 */
import { isJsonObject } from '../../engine/kube/json-object.js'
import { nearestName } from '../../engine/kube/nearest-name.js'
import type { FileChart } from '../chart/chart.js'
import { coalesceValues } from '../chart/coalesce.js'
import type { JsonObject } from '../chart/json-object.js'
import { type ChartWords, chartWords } from './chart-words.js'

/** A value that a chart probably does not mean. */
export interface DoubtfulValue {
  /** Its path, such as `image.tgs`. */
  readonly path: string
  /** Why the value is doubtful; the text does not contain the value. */
  readonly problem: string
}

/** The limit of keys that are searched in the files of a chart, because users write the keys. */
const maxKeys = 100
/** Other keys, such as names of labels, are never read by their name. */
const identifier = /^[A-Za-z_][\w-]{2,99}$/

/** The doubtful values of a chart, in the order of the values. */
export function doubtfulValues(chart: FileChart, values: JsonObject): DoubtfulValue[] {
  return new DoubtFinder(chart).findIn(values, defaultsOf(chart), [])
}

/** The defaults of a chart, including those of its subcharts under their names or aliases. */
function defaultsOf({ values, metadata, subcharts }: FileChart): JsonObject {
  const { dependencies = [] } = metadata
  const sections = subcharts.flatMap((subchart) => {
    const { name } = subchart.metadata
    const listed = dependencies.filter((one) => one.name === name)
    const names = listed.length > 0 ? listed.map(({ alias }) => alias ?? name) : [name]
    return names.map((one) => [one, defaultsOf(subchart)] as const)
  })
  return coalesceValues(values, Object.fromEntries(sections))
}

class DoubtFinder {
  readonly #chart: FileChart
  #keys = 0

  constructor(chart: FileChart) {
    this.#chart = chart
  }

  get #words(): ChartWords {
    return chartWords(this.#chart)
  }

  findIn(values: JsonObject, defaults: JsonObject, path: readonly string[]): DoubtfulValue[] {
    return Object.entries(values).flatMap(([key, value]) => {
      const keyPath = [...path, key]
      if (!Object.hasOwn(defaults, key)) return this.#unknownKey(key, { defaults, path })
      const base = defaults[key]
      if (isJsonObject(value) && isJsonObject(base))
        return Object.keys(base).length === 0 ? [] : this.findIn(value, base, keyPath)
      const problem = typeProblem(value, base, key)
      return problem === undefined ? [] : [{ path: keyPath.join('.'), problem }]
    })
  }

  #unknownKey(
    key: string,
    { defaults, path }: { readonly defaults: JsonObject; readonly path: readonly string[] },
  ): DoubtfulValue[] {
    const isKnown = !identifier.test(key) || key === 'global' || ++this.#keys > maxKeys
    if (isKnown || this.#words.has(key) || this.#isOpen(defaults, path)) return []
    const names = Object.keys(defaults)
    const nearest = nearestName(key, names)
    const isSlip = nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(key.length / 4))
    const hint = isSlip ? `; did you mean ${nearest.name}?` : ''
    return [{ path: [...path, key].join('.'), problem: `nothing in the chart reads it${hint}` }]
  }

  /** Whether a map may have any key: its keys are not all read by name, or templates use the map as a whole. */
  #isOpen(defaults: JsonObject, path: readonly string[]): boolean {
    const name = path.at(-1)
    if (name === undefined) return this.#words.usesAllValues
    const keys = Object.keys(defaults)
    const areRead = keys.every((key) => identifier.test(key) && this.#words.isRead(key))
    return !areRead || this.#words.isUsedWhole(name)
  }
}

/** Why a value does not fit its default; undefined if it may. An empty default fits any value, null any default. */
function typeProblem(value: unknown, base: unknown, key: string): string | undefined {
  if (typeof base === 'boolean' && isWord(value))
    return 'it is text, which templates take for true; write it without quotes'
  if (value === null || base === null || isEmpty(base)) return undefined
  const [actual, expected] = [typeOf(value), typeOf(base)]
  if (actual === expected) return undefined
  const isNested = actual === 'a map' || actual === 'a list'
  const wasNested = expected === 'a map' || expected === 'a list'
  // A text may also be written as a list of its parts.
  if (expected === 'text' && actual === 'a list') return undefined
  if (isNested || wasNested) return `it is ${actual}, but ${expected} by default`
  if (expected === 'a number' && actual === 'text' && !mayBeNumber(value, key))
    return `it is text, but a number by default`
  return undefined
}

const isEmpty = (base: unknown) =>
  base === '' || base === false || (typeof base === 'object' && Object.keys(Object(base)).length === 0)

const isWord = (value: unknown) => typeof value === 'string' && /^(?:true|false|yes|no|on|off)$/i.test(value)

/** Text may be a quantity, a percentage or a duration, and ports have names. */
const mayBeNumber = (value: unknown, key: string) => /\d|^$|\{\{/.test(String(value)) || /port/i.test(key)

function typeOf(value: unknown): 'a map' | 'a list' | 'text' | 'true or false' | 'a number' {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'boolean') return 'true or false'
  return typeof value === 'string' ? 'text' : 'a number'
}
