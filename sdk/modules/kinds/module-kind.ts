import * as z from 'zod'
import type { Resource } from '../../engine/kube/resource.js'
import { defineKind } from '../../operator/kind/define/define-kind.js'
import type { AnyKind } from '../../operator/kind/definition/crd-of.js'
import { k } from '../../operator/kind/k/k.js'
import type { JsonSchema } from '../../operator/kind/schema/json-schema.js'
import { anyObject, configMapKey, group, nameIn, text } from './fields.js'
import type { Module } from './module.js'

const source = k.rule(
  z.object({
    raw: anyObject.optional(),
    configMap: configMapKey('module.yaml').optional(),
    httpURL: text.optional(),
    existingHelmRelease: nameIn('default').optional(),
    github: anyObject.optional(),
  }),
  '!has(self.github)',
  { message: 'github is not supported: use raw, configMap or httpURL' },
)

const custom = z.object({
  image: text.optional(),
  imagePullSecrets: z.array(text).optional(),
  permissions: z.array(text).optional(),
  program: z
    .object({
      url: text.optional(),
      configMap: configMapKey('plugin').optional(),
      digest: text.optional(),
      /** The Secret with the credentials of the server. */
      auth: nameIn('default').optional(),
    })
    .optional(),
})

const spec = k.rule(
  z.object({
    workspace: k.immutable(nameIn('default')),
    hibernated: z.boolean().default(false),
    /** The values of the configuration, by the aliases of its schema. */
    config: anyObject.optional(),
    source: source.optional(),
    helm: anyObject.optional(),
    custom: custom.optional(),
    /** The time limit of one call of the manager; default 5m. */
    timeout: k.duration().optional(),
    retry: z.object({ maxBackoff: k.duration().optional() }).optional(),
  }),
  '(has(self.source) ? 1 : 0) + (has(self.helm) ? 1 : 0) + (has(self.custom) ? 1 : 0) == 1',
  { message: 'exactly one of source, helm and custom must be set' },
)

/** The phases of a Module. */
const modulePhases = [
  'installing',
  'ready',
  'sleeping',
  'sleeped',
  'resuming',
  'uninstalling',
  'failed',
] as const

/** The operations that take a Module from one phase to the next. */
const operationKinds = ['install', 'upgrade', 'sleep', 'resume', 'uninstall'] as const

const operation = z.object({
  id: text,
  kind: z.enum(operationKinds),
  /** Identifies the wanted state of an upgrade. */
  target: text.optional(),
  /** 1 for the first call. */
  attempt: z.int(),
  /** When the attempt began. */
  startedAt: text,
  /** When the next attempt begins, after one that failed. */
  nextAttemptAt: text.optional(),
  /** Whether the next attempt waits for a change. */
  permanent: z.boolean().optional(),
  lastError: text.optional(),
  /** The kind of the error, in CamelCase. */
  reason: text.optional(),
  /** Whether the Module or a ConfigMap of it changed after an attempt that failed. */
  changed: z.boolean().optional(),
  /** The revisions of the ConfigMaps that the Module names, when the attempt began. */
  inputs: text.optional(),
  /** The value of the annotation `forkspacer.com/retry` when the attempt ended. */
  retry: text.optional(),
})

const program = z.object({
  name: text,
  version: text.optional(),
  digest: text.optional(),
  /** The optional methods of its manager: `upgrade`, `check`. */
  methods: z.array(text).optional(),
  /** The rules that bound its requests in the cluster. A loaded program without them may do what the operator may. */
  permissions: z
    .array(z.object({ group: z.string(), resource: text, verbs: z.array(text), namespace: text.optional() }))
    .optional(),
  /** How many more rules the program has. */
  permissionsLeftOut: z.int().optional(),
})

const kind = defineKind({
  group,
  version: 'v1',
  kind: 'Module',
  shortNames: ['mo'],
  spec,
  status: z.object({
    phase: z.enum(modulePhases).optional(),
    source: text.optional(),
    message: text.optional(),
    lastActivity: text.optional(),
    operation: operation.optional(),
    program: program.optional(),
    /** The kinds of the objects that its manager has written and that have no owner, such as `apps/v1 Deployment`. */
    kinds: z.array(text).optional(),
  }),
  conditions: ['Ready', 'Progressing', { type: 'Degraded', goodWhen: 'False' }],
  columns: [
    { name: 'Phase', path: '.status.phase', type: 'string' },
    { name: 'Source', path: '.status.source', type: 'string' },
    { name: 'Workspace', path: '.spec.workspace.name', type: 'string' },
    { name: 'Last Activity', path: '.status.lastActivity', type: 'date' },
    { name: 'Message', path: '.status.message', type: 'string', priority: 1 },
  ],
})

/**
 * The schema of the configuration next to the spec. Its entries have two spellings, which a structural schema cannot
 * say.
 */
const configSchema: JsonSchema = {
  type: 'array',
  items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}

/** The kind of applications that are installed, put to sleep, woken and uninstalled by managers. */
export const modules: Resource<Module> & AnyKind = {
  ...kind,
  schemas: kind.schemas.map((version) => ({
    ...version,
    schema: { ...version.schema, properties: { ...version.schema.properties, config: configSchema } },
  })),
}
