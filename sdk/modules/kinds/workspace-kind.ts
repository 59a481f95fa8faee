import * as z from 'zod'
import type { Resource } from '../../engine/kube/resource.js'
import { defineKind } from '../../operator/kind/define/define-kind.js'
import type { AnyKind } from '../../operator/kind/definition/crd-of.js'
import { k } from '../../operator/kind/k/k.js'
import { group, nameIn, text } from './fields.js'
import type { Workspace } from './workspace.js'

const connectionTypes = ['local', 'in-cluster', 'kubeconfig', 'virtual', 'host'] as const

const fields = z.object({
  type: k.immutable(z.enum(['kubernetes', 'managed']).default('kubernetes')),
  from: k.immutable(nameIn('default').extend({ migrateData: z.boolean().default(false) })).optional(),
  hibernated: z.boolean().default(false),
  connection: k.immutable(
    z
      .object({
        type: z.enum(connectionTypes).default('in-cluster'),
        secretReference: nameIn('default')
          .extend({ key: z.string().default('kubeconfig') })
          .optional(),
      })
      .default({ type: 'in-cluster' }),
  ),
  managedCluster: k
    .immutable(
      z.object({
        backend: z.enum(['vcluster', 'k3d', 'kind']).default('vcluster'),
        distro: z.enum(['k3s', 'k0s', 'k8s', 'eks']).optional(),
      }),
    )
    .optional(),
  /** The vcluster that sleeps and wakes with the Workspace. */
  vcluster: k.immutable(z.object({ name: z.string().min(1), namespace: z.string().min(1) })).optional(),
  autoHibernation: z
    .object({
      enabled: z.boolean().default(false),
      schedule: z.string().default(''),
      wakeSchedule: z.string().optional(),
      /** The IANA name of the time zone of both schedules; default UTC. */
      timeZone: z.string().optional(),
    })
    .optional(),
})

/** The data of a fork, one object each. */
const forkedData = z.object({
  module: text,
  from: text,
  to: text.optional(),
  kind: z.enum(['Secret', 'ConfigMap', 'PersistentVolumeClaim']),
  phase: z.enum(['waiting', 'copying', 'done']),
  attempt: z.int().optional(),
  nextAttemptAt: text.optional(),
  /** Identifies the sleep of the source that a volume is copied in. */
  during: text.optional(),
  bytes: z.int().optional(),
  sha256: text.optional(),
  message: text.optional(),
})

const fork = z.object({
  phase: z.enum(['waiting', 'copying', 'done']),
  modules: z.int().optional(),
  message: text.optional(),
  data: z.array(forkedData).optional(),
})

const spec = k.rule(
  fields,
  'self.type != "managed" || has(self.managedCluster) == has(oldSelf.managedCluster)',
  { message: 'managedCluster is immutable' },
)

/** The kind of clusters that sleep and wake with all their Modules. */
export const workspaces: Resource<Workspace> & AnyKind = defineKind({
  group,
  version: 'v1',
  kind: 'Workspace',
  shortNames: ['ws'],
  spec,
  status: z.object({
    phase: z.enum(['installing', 'ready', 'hibernated', 'failed', 'terminating']).optional(),
    ready: z.boolean().optional(),
    lastActivity: text.optional(),
    hibernatedAt: text.optional(),
    message: text.optional(),
    /** The Modules of the Workspace, counted by their phases. */
    modules: z.object({ total: z.int(), ready: z.int(), sleeped: z.int(), failed: z.int() }).optional(),
    vcluster: z.enum(['awake', 'sleeping', 'asleep', 'waking']).optional(),
    managed: z
      .object({
        namespace: text,
        namespaceUid: text,
        release: text,
        chart: text,
        inputs: text,
        secretReference: z.object({ name: text, namespace: text, key: text }),
      })
      .optional(),
    fork: fork.optional(),
    /** The newest time of the schedules that was acted on. */
    lastScheduleTime: text.optional(),
  }),
  conditions: ['Ready'],
  columns: [
    { name: 'Phase', path: '.status.phase', type: 'string' },
    { name: 'Modules', path: '.status.modules.total', type: 'integer' },
    { name: 'Ready', path: '.status.modules.ready', type: 'integer' },
    { name: 'Sleeped', path: '.status.modules.sleeped', type: 'integer' },
    { name: 'Message', path: '.status.message', type: 'string', priority: 1 },
  ],
})
