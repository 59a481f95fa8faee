import { admission } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

const most = 3

/**
 * Refuses the fourth App of a namespace. Changes of Apps that exist are admitted. Two Apps that are created in the same
 * moment may both be admitted, because neither is in the cache yet.
 */
export const webhooks = [
  admission(apps, {
    validate(ctx, { metadata }, old) {
      const others = ctx.store(apps).in(metadata.namespace)
      if (old || others.length < most) return []
      return [
        { path: 'metadata.namespace', message: `has ${others.length} Apps already, of ${most} at most` },
      ]
    },
  }),
]
