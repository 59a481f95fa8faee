import type { ReleaseView } from '../../../engine/inspector/release-view.js'
import type { Module } from '../../kinds/module.js'
import type { ModuleEnvironment } from '../connection/module-environment.js'
import { type ModuleOfClients, targetCluster } from '../connection/target-cluster.js'
import { frozenDefinition, helmKind } from '../definition/definition.js'
import { ModuleAnnotations } from '../definition/module-annotations.js'
import { MetaDataStore } from '../record/metadata-store.js'
import { ownerOf } from './module-programs.js'

/** Reads the Helm release of a Module, for the inspector; undefined if it has none. Nothing is written. */
export async function viewModuleRelease(
  cached: Module,
  environment: ModuleEnvironment,
): Promise<ReleaseView | undefined> {
  const { cluster: home, helm, clock } = environment
  const annotations = await ModuleAnnotations.read(home.client, cached)
  const { module } = annotations
  const frozen = await frozenDefinition(module.metadata)
  if (!helm || frozen?.kind !== helmKind) return undefined
  const moduleOfClients = { module, environment, ctx: clientsOf(environment) }
  const store = await MetaDataStore.open({
    client: home.client,
    annotations,
    inSecret: false,
    secretTexts: () => [],
  })
  const target = await targetCluster(frozen.cluster, moduleOfClients)
  return helm.view({ ...target, clock, spec: frozen.spec, owner: ownerOf(moduleOfClients) }, store.load())
}

/** The clients of the operator itself: the inspector reads outside runs. */
function clientsOf({ cluster: home, clusters, stop: signal }: ModuleEnvironment): ModuleOfClients['ctx'] {
  return {
    client: home.client,
    signal,
    cluster: (name) => clusters.find((cluster) => cluster.name === name) ?? home,
  }
}
