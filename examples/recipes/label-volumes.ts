import { persistentVolumeClaims } from 'vcluster-plugin-sdk'
import type { CnpgPlugin } from 'vcluster-plugin-sdk/cnpg'

/** Labels the volumes of a Cluster with the team in the entry of the plugin. */
export function register(plugin: CnpgPlugin): void {
  plugin.objects(persistentVolumeClaims, {
    create(ctx, { metadata }) {
      metadata.labels = { ...metadata.labels, 'recipes.my.domain/team': ctx.parameters.team ?? 'none' }
    },
  })
}
