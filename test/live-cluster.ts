import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { type ConfigMap, configMaps } from '../sdk/engine/kube/builtin.js'
import type { Store } from '../sdk/engine/store/store.js'
import { StoreWriter } from '../sdk/engine/store/store-writer.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../sdk/engine/transport/transport.js'
import { watchResource } from '../sdk/engine/watch/watch-resource.js'

/** A cluster for a test: calls, and a live view of its ConfigMaps. */
export interface LiveCluster {
  readonly transport: Transport
  readonly client: Client
  readonly configMaps: Store<ConfigMap>
  /** Resolves as soon as the condition holds for the objects of the watch. */
  until(holds: (configMaps: Store<ConfigMap>) => boolean): Promise<void>
  close(): Promise<void>
}

/** Opens a cluster by its kubeconfig file, over sockets. */
export async function openCluster(kubeconfigFile: string): Promise<LiveCluster> {
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: kubeconfigFile }) })
  const writer = new StoreWriter<ConfigMap>()
  const { store } = writer
  const waiting = new Set<() => void>()
  const watching = watchResource({ transport, resource: configMaps }).subscribe((event) => {
    writer.apply(event)
    for (const look of waiting) look()
  })
  const until = (holds: (configMaps: Store<ConfigMap>) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds(store)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const close = async () => {
    watching.unsubscribe()
    await transport.close()
  }
  await store.whenSynced()
  return { transport, client: createClient({ transport }), configMaps: store, until, close }
}
