import { configMaps } from 'vcluster-plugin-sdk'
import { admission } from 'vcluster-plugin-sdk/operator'

/** Refuses to delete ConfigMaps with a label. While the operator is down, they can be deleted (`Ignore`). */
export const webhooks = [
  admission(configMaps, {
    operations: ['DELETE'],
    validate: (_ctx, { metadata }) =>
      metadata.labels?.protected === 'true'
        ? [{ path: 'metadata.labels.protected', message: 'remove this label first' }]
        : [],
  }),
]
