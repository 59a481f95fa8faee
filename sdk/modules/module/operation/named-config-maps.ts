// The ConfigMaps that a Module names: a change of one starts the next attempt of a failed operation at once.
import { configMaps } from '../../../engine/kube/builtin.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Store } from '../../../engine/store/store.js'
import { ensureIndex } from '../../../operator/owner/ensure-index.js'
import type { Module } from '../../kinds/module.js'

/** The name of the index of {@link indexByConfigMap}. */
const indexName = 'modules/config-map'

/** The scope of the cache of ConfigMaps: only their metadata. */
export const configMapScope = { metadataOnly: true } as const
/** The watched kind: ConfigMaps. */
export const watchedKind = configMaps

/** The ConfigMaps in the spec of a Helm release, which is not validated here. */
interface HelmSources {
  readonly chart?: { readonly configMap?: Partial<Key> }
  readonly values?: readonly ({ readonly configMap?: Partial<Key> } | undefined)[]
}

/** The keys of the ConfigMaps that a Module names, as `formatKey` writes them. */
function namesOf({ spec }: Partial<Pick<Module, 'spec'>>): string[] {
  const { source, custom, helm } = spec ?? {}
  const raw = (source?.raw?.spec ?? {}) as HelmSources & { repo?: { configMap?: Partial<Key> } }
  const references: (Partial<Key> | undefined)[] = [
    ...[source?.configMap, custom?.program?.configMap, raw.repo?.configMap],
    ...[raw, (helm ?? {}) as HelmSources].flatMap(({ chart, values }) => [
      chart?.configMap,
      ...(Array.isArray(values) ? values.map((reference) => reference?.configMap) : []),
    ]),
  ]
  return references.flatMap((reference) =>
    reference?.name ? [formatKey({ namespace: reference.namespace ?? 'default', name: reference.name })] : [],
  )
}

/** Adds the index of Modules by the ConfigMaps that they name. */
export function indexByConfigMap(modules: Store): void {
  ensureIndex(modules as Store<KubeObject>, indexName, (module) => namesOf(module as Partial<Module>))
}

/** The Modules that name a ConfigMap. */
export const modulesOfConfigMap = (modules: Store, configMap: Key): Key[] =>
  modules.byIndex(indexName, formatKey(configMap)).map(keyOf)

/** The revisions of the ConfigMaps that a Module names; undefined if it names none. */
export function revisionsOf(module: Module, store: Store): string | undefined {
  const names = namesOf(module)
  if (names.length === 0) return undefined
  const revisionOf = (name: string) => {
    const [namespace = '', ownName = ''] = name.split('/')
    return store.get({ namespace, name: ownName })?.metadata.resourceVersion ?? 'none'
  }
  return names.map(revisionOf).join(' ')
}
