import { customResourceDefinitions } from '../../../engine/kube/builtin.js'
import { objectsOf } from '../../render/manifest.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import { idOf, isDefinition, type ReleaseObject } from '../objects/release-object.js'
import type { ReleaseRunOptions } from '../run/release-run.js'

/**
 * Decides which objects stay although the templates no longer have them: the definitions in `crds/` and in the hooks of
 * the chart, which are never deleted. Records do not tell which definitions are in `crds/`, so a rollback keeps all.
 * With `crds: skip` nothing reads these files, so it keeps all, too.
 */
export async function keepsDefinition(
  { chart, rendered: { crds, hooks } }: Pick<WantedRelease, 'chart' | 'rendered'>,
  options: Pick<ReleaseRunOptions, 'crds'>,
): Promise<(object: ReleaseObject) => boolean> {
  if (chart === undefined || options.crds === 'skip') return ({ object }) => isDefinition(object)
  // A hook that cannot be read defines nothing.
  const inHooks = await Promise.all(hooks.map(({ manifest }) => objectsOf(manifest).catch(() => [])))
  const definitions = [...crds, ...inHooks.flat()].map(({ object }) => object).filter(isDefinition)
  const keys = definitions.map(({ metadata: { name = '' } }) => ({ namespace: '', name }))
  const kept = new Set(keys.map((key) => idOf({ resource: customResourceDefinitions, key })))
  return (object) => kept.has(idOf(object))
}
