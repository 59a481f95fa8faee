import { addSidecar, type CnpgPlugin, jsonText } from 'vcluster-plugin-sdk/cnpg'
import * as z from 'zod'

const texts = z.record(z.string(), z.string()).default({ 'plugin-metadata': 'default' })

/** The parameters of the plugin in a Cluster: two texts that hold JSON objects. */
export const parameters = z.object({ labels: jsonText(texts), annotations: jsonText(texts) })

/** Labels and annotates the Pods of a Cluster, and adds a container that pauses. */
export function register(plugin: CnpgPlugin<z.infer<typeof parameters>>): void {
  plugin.pods({
    instance(ctx, pod) {
      addSidecar(pod, { name: 'pauser', image: 'registry.k8s.io/pause:3.10' })
      pod.metadata.labels = { ...pod.metadata.labels, ...ctx.parameters.labels }
      pod.metadata.annotations = { ...pod.metadata.annotations, ...ctx.parameters.annotations }
    },
  })
  plugin.cluster({
    default: (ctx, cluster) => ctx.writeParameters(cluster),
    // Parameters that do not fit are refused by the SDK.
    validateCreate() {},
    validateChange(ctx, old) {
      const before = JSON.stringify(ctx.parametersOf(old)?.labels)
      if (before !== JSON.stringify(ctx.parameters.labels)) ctx.refuse(['labels'], 'labels cannot be changed')
    },
    status: () => ({ enabled: true }),
  })
}
