import { cloneJson } from '../../kube/json.js'
import { isJsonObject, type JsonObject } from '../chart/json-object.js'
import { withOverrides } from '../values/overrides.js'
import type { HelmReconcilerOptions } from './options.js'
import { IrreconcilableError } from './problem.js'
import type { ValuesContext } from './values-context.js'

/**
 * The user's values of a release. Later ones win: the spec or what `translateValues` makes of it, `mapValues`, the
 * overrides. The object is not changed.
 */
export async function releaseValues(
  { translateValues, mapValues, overrides = [] }: HelmReconcilerOptions,
  context: ValuesContext,
): Promise<JsonObject> {
  const spec = context.resource.spec ?? {}
  if (!isJsonObject(spec)) throw new IrreconcilableError('InvalidValues', 'spec is not a map of values')
  const translated = (await translateValues?.(cloneJson(spec), context)) ?? cloneJson(spec)
  const mapped = (await mapValues?.(translated, context)) ?? translated
  return withOverrides(mapped, overrides)
}
