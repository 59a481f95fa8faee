import { defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

/** A bucket in a cloud, with the name of the object. */
export const buckets = defineKind({
  group: 'cloud.my.domain',
  version: 'v1',
  kind: 'Bucket',
  spec: z.object({
    region: z.enum(['north', 'south']).describe('Where the bucket is. It cannot be changed.'),
    keep: z.boolean().optional().describe('Whether the bucket stays when the object is deleted.'),
  }),
  status: z.object({ url: z.string().optional() }),
  conditions: ['Ready'],
  effects: ['bucket'],
  columns: [{ name: 'URL', path: '.status.url', type: 'string' }],
})
