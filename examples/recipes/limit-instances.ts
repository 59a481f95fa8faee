import { type CnpgCluster, type CnpgPlugin, HookError } from 'vcluster-plugin-sdk/cnpg'

/** Refuses Clusters with more than three instances, at the creation and for every change. */
export function register(plugin: CnpgPlugin): void {
  const check = ({ spec }: CnpgCluster) => {
    if (Number(spec.instances ?? 1) > 3) throw new HookError('spec.instances may be 3 at most')
  }
  plugin.cluster({
    validateCreate: (_ctx, cluster) => check(cluster),
    validateChange: (ctx) => check(ctx.cluster),
  })
}
