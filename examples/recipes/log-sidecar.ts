import { addSidecar, type CnpgPlugin } from 'vcluster-plugin-sdk/cnpg'

/** Adds a container to the Pods of instances. Its position and content never change, so no Pod restarts again. */
export function register(plugin: CnpgPlugin): void {
  plugin.pods({
    instance: (_ctx, pod) => addSidecar(pod, { name: 'logs', image: 'registry.example/logs:v1' }),
  })
}
