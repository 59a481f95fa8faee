import * as z from 'zod'
import { type Deployment, deployments } from '../engine/kube/builtin.js'
import type { ControllerOptions } from './controller/definition.js'
import { defineKind } from './kind/define/define-kind.js'
import type { ObjectOf } from './kind/define/kind.js'
import { crdOf } from './kind/definition/crd-of.js'

/** A kind for tests: so many nodes of memcached. */
export const backups = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Backup',
  spec: z.object({ size: z.int().min(0).max(100), settings: z.string().optional() }),
  status: z.object({ nodes: z.array(z.string()).optional() }),
  conditions: ['Available'],
})

/** An object of the kind. */
export type Backup = ObjectOf<typeof backups>

/** The definition of the kind. */
export const backupDefinition = crdOf(backups)

/** The key of the object that tests create. */
export const key = { namespace: 'default', name: 'daily' }

/** An object of so many nodes. */
export const backup = (size: number): Backup => ({ metadata: { ...key }, spec: { size } })

/** The Deployment that an object wants; only the fields that its controller decides. */
export function deploymentFor({ metadata, spec }: Pick<Backup, 'metadata' | 'spec'>): Deployment {
  const name = metadata.name ?? ''
  const container = {
    name: 'memcached',
    image: 'memcached:1.6',
    ports: [{ name: 'memcached', containerPort: 11211 }],
    resources: { limits: { cpu: '1000m' } },
  }
  return {
    metadata: { name },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: { backup: name } },
      template: { metadata: { labels: { backup: name } }, spec: { containers: [container] } },
    },
  }
}

/** A controller that makes a Deployment of each object, and says in its status whether it is ready. */
export const memcached: ControllerOptions<Backup> = {
  owns: [deployments],
  async reconcile(ctx, object) {
    const live = await ctx.apply(deployments, deploymentFor(object))
    ctx.status.nodes = ['a']
    ctx.condition('Available', (live.status?.readyReplicas ?? 0) === object.spec.size, 'DeploymentReady')
  },
}
