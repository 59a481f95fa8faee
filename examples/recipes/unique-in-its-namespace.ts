import { keyOf } from 'vcluster-plugin-sdk'
import { admission } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/**
 * Refuses an App whose image another App of its namespace has. The cache is filled before the first answer. Two Apps
 * that are created in the same moment may both be admitted, because neither is in the cache yet.
 */
export const webhooks = [
  admission(apps, {
    validate(ctx, { metadata, spec }) {
      const others = ctx.store(apps).in(metadata.namespace)
      const same = others.find(
        (other) => other.metadata.name !== metadata.name && other.spec.image === spec.image,
      )
      return same ? [{ path: 'spec.image', message: `is that of the App ${keyOf(same).name}` }] : []
    },
  }),
]
