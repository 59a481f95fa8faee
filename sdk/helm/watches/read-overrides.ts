import type { Environment } from '../../engine/kube/environment.js'
import type { JsonObject } from '../chart/json-object.js'
import { ExpansionError, expandVariables } from '../values/expand-variables.js'
import { overlaps, type ValueOverride } from '../values/overrides.js'
import { typedScalar } from '../values/typed-scalar.js'
import { parseValuePath, ValuePathError } from '../values/value-path.js'
import type { EntryReader } from './entry-reader.js'
import { readMap, ValueProblem } from './read-value.js'

/** How the texts of overrides are made. */
export interface OverrideOptions {
  readonly env: Environment
  readonly strictEnv: boolean
  /** Renders a text with `{{` as a template. Rejects with `ValueProblem`. */
  readonly renderText: (text: string) => Promise<string>
}

type OverridesKey = 'overrideValues' | 'overrideStringValues'

/**
 * Reads `overrideValues`, whose texts are typed as `helm --set` does, or `overrideStringValues`, where they stay text.
 */
export async function readOverrides(
  reader: EntryReader,
  key: OverridesKey,
  options: OverrideOptions,
): Promise<ValueOverride[]> {
  const entries = reader.optional(key, readMap) ?? {}
  const overrides: ValueOverride[] = []
  for (const [name, value] of Object.entries(entries)) {
    const override = await readOverride({ key, name, value }, options).catch((error: unknown) => {
      if (!isProblem(error)) throw error
      reader.add([key, name], error.message)
      return undefined
    })
    if (override) overrides.push(override)
  }
  for (const [short, long] of overlaps(overrides))
    reader.add([key, long], `${short} sets a part of it, or all of it, as well; leave one of them out`, true)
  return overrides
}

const isProblem = (error: unknown): error is Error =>
  error instanceof ValueProblem || error instanceof ValuePathError || error instanceof ExpansionError

interface OverrideEntry {
  readonly key: OverridesKey
  readonly name: string
  readonly value: unknown
}

async function readOverride(
  { key, name, value }: OverrideEntry,
  options: OverrideOptions,
): Promise<ValueOverride> {
  const path = parseValuePath(name)
  if (key === 'overrideValues') return { key: name, path, value: await expandValue(value, options) }
  if (typeof value !== 'string')
    throw new ValueProblem(`${JSON.stringify(value)} is not text; write it with quotes`)
  return { key: name, path, value: await expandText(value, options) }
}

async function expandValue(value: unknown, options: OverrideOptions): Promise<unknown> {
  if (typeof value === 'string') return typedScalar(await expandText(value, options))
  if (Array.isArray(value)) return Promise.all(value.map((item) => expandValue(item, options)))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(
    await Promise.all(
      members.map(async ([name, member]) => [name, await expandValue(member, options)] as const),
    ),
  )
}

async function expandText(text: string, { env, strictEnv, renderText }: OverrideOptions): Promise<string> {
  const value = expandVariables(text, env, strictEnv)
  return value.includes('{{') ? renderText(value) : value
}
