import { PermanentError } from '../../../engine/kube/error.js'
import { cloneJson } from '../../../engine/kube/json.js'
import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { JsonObject } from '../../chart/json-object.js'
import { withOverrides } from '../../values/overrides.js'
import { IrreconcilableError, ValuesError } from '../problem/problem.js'
import type { HelmControllerOptions, ValuesFunction } from './options.js'
import type { ValuesContext } from './values-context.js'

/**
 * The user's values of a release. Later ones win: the spec or what `translateValues` makes of it, `mapValues`, the
 * overrides. The object is not changed. Rejects with {@link ValuesError} if one of these functions fails.
 */
export async function releaseValues(
  { translateValues, mapValues, overrides = [] }: HelmControllerOptions,
  context: ValuesContext,
): Promise<JsonObject> {
  const spec = context.resource.spec ?? {}
  if (!isJsonObject(spec)) throw new IrreconcilableError('InvalidValues', 'spec is not a map of values')
  const translated = await callValuesFunction('translateValues', translateValues, {
    values: cloneJson(spec),
    context,
  })
  const mapped = await callValuesFunction('mapValues', mapValues, { values: translated, context })
  return withOverrides(mapped, overrides)
}

/** Calls a function of the program that changes values; without a function, the values stay the same. */
async function callValuesFunction(
  name: string,
  make: ValuesFunction | undefined,
  { values, context }: { values: JsonObject; context: ValuesContext },
): Promise<JsonObject> {
  try {
    return (await make?.(values, context)) ?? values
  } catch (error) {
    if (context.ctx.signal.aborted || error instanceof PermanentError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ValuesError(`${name} failed: ${reason}`, { cause: error })
  }
}
