import { stringifyJson } from '../../../engine/kube/json.js'
import { objectsOf } from '../../render/manifest.js'
import type { ReleaseHook } from '../../render/release-hook.js'

/** The parts of hooks that are compared, in an order that does not depend on that of the chart. */
export async function hookParts(hooks: readonly ReleaseHook[]): Promise<unknown[]> {
  const parts = hooks.map(async ({ path, name, manifest, events, weight = 0, delete_policies }) => [
    ...[path, name, [...events], weight, policiesOf(delete_policies)],
    (await objectsOf(manifest)).map(({ object }) => object),
  ])
  return (await Promise.all(parts)).sort((a, b) =>
    stringifyJson(a.slice(0, 2)) < stringifyJson(b.slice(0, 2)) ? -1 : 1,
  )
}

/** Helm writes its default policy into the record of a hook that it runs, also by `helm test`. */
const policiesOf = (policies: readonly string[] = []) =>
  policies.length === 0 ? ['before-hook-creation'] : [...policies]
