import type { CnpgPlugin } from 'vcluster-plugin-sdk/cnpg'

/** Shows in the status of each Cluster for which team the plugin works. */
export function register(plugin: CnpgPlugin): void {
  plugin.cluster({ status: (ctx) => ({ team: ctx.parameters.team ?? 'none' }) })
}
