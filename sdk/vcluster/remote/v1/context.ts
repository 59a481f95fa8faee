import * as z from 'zod'
import { checkDnsLabel } from '../../../engine/kube/dns-label.js'
import { PluginError } from '../../../engine/kube/error.js'
import { issueText } from '../../../engine/kube/issue-text.js'
import type { Json } from '../../../engine/kube/object.js'
import type { Context } from '../proto/gen/v1.js'

/**
 * The description that a vcluster process sends to a sidecar plugin: its names, and the access to both
 * clusters.
 */
export interface VClusterContext {
  /** The vcluster's name, which names and labels of copies are made from. */
  vclusterName: string
  /** Kubeconfig text (YAML) of the virtual cluster's API server. Holds credentials. */
  virtualKubeconfig: string
  /** Kubeconfig text (YAML) of the host cluster's API server. Holds credentials. */
  hostKubeconfig: string
  /**
   * Kubeconfig text (YAML) of the virtual cluster through vcluster's proxy, which opens after registration; may be
   * `''`.
   */
  syncerKubeconfig: string
  /** The host namespace that copies go to. */
  targetNamespace: string
  /** The host namespace of the vcluster process. */
  currentNamespace: string
  /** The Service in `currentNamespace` that belongs to this vcluster. */
  serviceName: string
  /** Whether copies shall be owned by that Service. */
  setOwner: boolean
  /**
   * `hashed` if the options prove a vcluster up to 0.19, whose labels are hashed; `undefined` if they prove nothing.
   */
  labelMode: 'hashed' | undefined
  /** The vcluster's options as it sent them. */
  options: Readonly<Record<string, Json>>
}

const contextSchema = z.object({
  virtualClusterConfig: z.string().min(1),
  physicalClusterConfig: z.string().min(1),
  syncerConfig: z.string(),
  targetNamespace: z.string(),
  currentNamespace: z.string().min(1),
  options: z.record(z.string(), z.json()),
})

const optionsSchema = z.object({
  name: z.string().min(1),
  targetNamespace: z.string().nullish(),
  serviceName: z.string().nullish(),
  setOwner: z.boolean().nullish(),
})

/**
 * Reads the six strings of a `Context`. Unknown options are kept and ignored; the target namespace comes from
 * the context, else from the options (where vcluster 0.29 and later have none), else it is the current one.
 *
 * Throws a {@link PluginError} `INVALID_CONTEXT` that names the field which is missing or of the wrong type, or
 * `INVALID_NAME` for a name that cannot be. See pkg/plugin/v1/plugin.go and config/legacyconfig/options.go @ v0.36.1 of
 * vcluster.
 */
export function parseContext(context: Context): VClusterContext {
  const fields = read(contextSchema, { ...context, options: parseOptions(context.options) }, '')
  const options = read(optionsSchema, fields.options, 'options.')
  const targetNamespace = fields.targetNamespace || options.targetNamespace || fields.currentNamespace
  checkDnsLabel("the vcluster's name (options.name)", options.name)
  checkDnsLabel("the vcluster's target namespace", targetNamespace)
  checkDnsLabel("the vcluster's own namespace", fields.currentNamespace)
  return {
    vclusterName: options.name,
    virtualKubeconfig: fields.virtualClusterConfig,
    hostKubeconfig: fields.physicalClusterConfig,
    syncerKubeconfig: fields.syncerConfig,
    targetNamespace,
    currentNamespace: fields.currentNamespace,
    serviceName: options.serviceName || options.name,
    setOwner: options.setOwner ?? false,
    labelMode: isBefore20(fields.options) ? 'hashed' : undefined,
    options: fields.options,
  }
}

/** Both keys left the options with 0.20; the second was always written, the first only when not empty. */
function isBefore20(options: Record<string, Json>): boolean {
  return 'controllers' in options || 'DeprecatedSuffix' in options
}

function parseOptions(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badContextError('options', 'is not JSON', cause)
  }
}

function read<T>(schema: z.ZodType<T>, value: unknown, prefix: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw badContextError(
    prefix + (issue?.path.join('.') ?? ''),
    `is wrong (${issue ? issueText(issue) : 'no reason given'})`,
  )
}

function badContextError(field: string, problem: string, cause?: unknown): PluginError {
  const message = `the vcluster process sent an invalid context: field ${field} ${problem}; check the vcluster's version and values`
  return new PluginError('INVALID_CONTEXT', message, { cause })
}
