import * as z from 'zod'
import { configMaps } from '../../engine/kube/builtin.js'
import { defineKind } from '../kind/define/define-kind.js'
import { k } from '../kind/k/k.js'

const replicas = z.int32().min(1).max(50).prefault(1)

/** A kind for tests: two versions of which neither holds all that the other does, defaulting, validation. */
export const caches = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Cache',
  spec: z.object({
    replicas,
    tier: z.enum(['small', 'large']).optional(),
    store: k.oneOf({ memory: z.object({}), disk: z.object({ size: z.string(), iops: z.int().optional() }) }),
    peers: z.array(z.string()).optional(),
  }),
  status: z.object({ nodes: z.array(z.string()).optional(), zone: z.string().optional() }),
  conditions: ['Ready'],
  versions: {
    v1beta1: {
      deprecated: 'use v1',
      spec: z.object({ replicas, diskSize: z.string().optional(), nickname: z.string().optional() }),
      status: z.object({}),
      toHub: ({ replicas, diskSize }) => ({
        replicas,
        store: diskSize === undefined ? { memory: {} } : { disk: { size: diskSize } },
      }),
      fromHub: ({ replicas, store }) => ({
        replicas,
        ...('disk' in store && store.disk && { diskSize: store.disk.size }),
      }),
    },
  },
  default: (ctx, cache) => ({
    ...cache,
    metadata: {
      ...cache.metadata,
      labels: { team: (ctx.user.groups[0] ?? 'none').replaceAll(':', '.'), ...cache.metadata.labels },
    },
  }),
  validate(ctx, cache, old) {
    if (cache.spec.replicas > 40) ctx.warn('more than 40 replicas are slow')
    const isKept = ctx.operation === 'DELETE' && cache.metadata.labels?.keep === 'true'
    return [
      ...(isKept ? [{ path: 'metadata.labels.keep', message: 'forbids deletion' }] : []),
      ...(old && old.spec.replicas > cache.spec.replicas
        ? [{ path: 'spec.replicas', message: 'must not shrink' }]
        : []),
      ...(cache.spec.peers ?? []).flatMap((peer, at) =>
        ctx.store(configMaps).get({ namespace: 'default', name: peer })
          ? []
          : [{ path: `spec.peers[${at}]`, message: 'does not exist' }],
      ),
    ]
  },
})
