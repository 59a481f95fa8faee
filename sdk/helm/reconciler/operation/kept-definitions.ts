import { customResourceDefinitions } from '../../../engine/kube/builtin.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedChart } from '../../render/renderer.js'
import { idOf, isDefinition } from '../objects/release-object.js'

/**
 * The definitions in `crds/` and in the hooks of a chart, by their identities. These are never deleted, so they stay if
 * they were in the templates before.
 */
export async function keptDefinitions({
  crds,
  hooks,
}: Pick<RenderedChart, 'crds' | 'hooks'>): Promise<ReadonlySet<string>> {
  // A hook that cannot be read defines nothing.
  const inHooks = await Promise.all(hooks.map(({ manifest }) => objectsOf(manifest).catch(() => [])))
  const definitions = [...crds, ...inHooks.flat()].map(({ object }) => object).filter(isDefinition)
  const keys = definitions.map(({ metadata: { name = '' } }) => ({ namespace: '', name }))
  return new Set(keys.map((key) => idOf({ resource: customResourceDefinitions, key })))
}
