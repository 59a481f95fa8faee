import { defineKind, k, type ObjectOf } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

/** Keeps so many memcached nodes for a backup. */
export const backups = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'MemcachedBackup',
  spec: z.object({ size: z.int().min(0).max(100) }),
  status: z.object({ nodes: k.listSet(z.string()).optional() }),
  conditions: ['Available'],
  columns: [
    { name: 'Size', path: '.spec.size', type: 'integer' },
    { name: 'Available', path: '.status.conditions[?(@.type=="Available")].status', type: 'string' },
  ],
})

/** An object of the kind. */
export type MemcachedBackup = ObjectOf<typeof backups>
