import * as z from 'zod'
import { checkDnsLabel } from '../../../engine/kube/dns-label.js'
import { PluginError } from '../../../engine/kube/error.js'
import { issueText } from '../../../engine/kube/issue-text.js'
import type { Json } from '../../../engine/kube/object.js'

/**
 * The description that a vcluster process sends to the plugins inside its container: its names, and the
 * access to both clusters.
 */
export interface Initialization {
  /** The vcluster's name, which names and labels of copies are made from. */
  vclusterName: string
  /** The file with the virtual cluster's kubeconfig; the address in it is reachable from the start. */
  virtualKubeconfigFile: string
  /** Kubeconfig text (YAML) of the host cluster's API server. Holds credentials. */
  hostKubeconfig: string
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
  /** The plugin's own folder, `<plugin folder>/<name>`. */
  workingDir: string
  /**
   * The loopback port on which this plugin must serve its interceptors; undefined before 0.20, which has no
   * interceptors.
   */
  interceptorPort: number | undefined
  /** The whole vcluster.yaml (since 0.20), without members that have Go's zero value: an absent boolean is false. */
  config: Readonly<Record<string, Json>>
}

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64').toString('utf8'))
const json = base64.transform((text, context) => {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text))
  } catch {
    context.addIssue('is not a JSON object')
    return z.NEVER
  }
})

const payloadSchema = z.object({
  physicalClusterConfig: base64.optional(),
  workloadConfig: base64.optional(),
  currentNamespace: z.string().min(1),
  options: json.optional(),
  config: json.optional(),
  workingDir: z.string().min(1),
  port: z.int().min(1).max(65535).optional(),
})

const optionsSchema = z.object({
  name: z.string().nullish(),
  kubeConfig: z.string().nullish(),
  targetNamespace: z.string().nullish(),
  serviceName: z.string().nullish(),
  setOwner: z.boolean().nullish(),
})

const configSchema = z.object({
  name: z.string().nullish(),
  workloadTargetNamespace: z.string().nullish(),
  hostTargetNamespace: z.string().nullish(),
  workloadService: z.string().nullish(),
  experimental: z
    .object({
      syncSettings: z.object({ setOwner: z.boolean().nullish() }).nullish(),
      virtualClusterKubeConfig: z.object({ kubeConfig: z.string().nullish() }).nullish(),
    })
    .nullish(),
  controlPlane: z
    .object({
      distro: z.record(z.string(), z.object({ enabled: z.boolean().nullish() }).nullish()).nullish(),
    })
    .nullish(),
})

type Payload = z.infer<typeof payloadSchema>
type Options = z.infer<typeof optionsSchema>
type Config = z.infer<typeof configSchema>

/**
 * Reads the content of `Initialize`, from 0.19 (only `options`) and from 0.20 and later (also `config`). Throws a
 * {@link PluginError} `INVALID_CONTEXT` that names the field which is missing or of the wrong type. See
 * pkg/plugin/v2/config.go @ v0.19.10 and @ v0.36.1 of vcluster.
 */
export function parseInitialize(text: string): Initialization {
  const payload = read(payloadSchema, parseJson(text), '')
  const options = read(optionsSchema, payload.options ?? {}, 'options.')
  const config = read(configSchema, payload.config ?? {}, 'config.')
  const vclusterName = requireField(config.name || options.name, 'config.name')
  const targetNamespace = targetNamespaceOf(payload, options, config)
  checkDnsLabel("the vcluster's name (config.name)", vclusterName)
  checkDnsLabel("the vcluster's target namespace", targetNamespace)
  checkDnsLabel("the vcluster's own namespace", payload.currentNamespace)
  return {
    vclusterName,
    ...clustersOf(payload, options, config),
    currentNamespace: payload.currentNamespace,
    targetNamespace,
    serviceName: config.workloadService || options.serviceName || vclusterName,
    setOwner: options.setOwner ?? config.experimental?.syncSettings?.setOwner ?? false,
    labelMode: payload.config === undefined ? 'hashed' : undefined,
    workingDir: payload.workingDir,
    interceptorPort: payload.port,
    config: payload.config ?? {},
  }
}

function clustersOf(payload: Payload, options: Options, config: Config) {
  const configuredFile = config.experimental?.virtualClusterKubeConfig?.kubeConfig || options.kubeConfig
  const host = payload.workloadConfig || payload.physicalClusterConfig
  return {
    virtualKubeconfigFile: configuredFile || fileOfDistro(config),
    hostKubeconfig: requireField(host, 'workloadConfig'),
  }
}

/** The file of each distribution's administrator kubeconfig; pkg/config/config.go @ v0.20.0 and @ v0.36.1. */
function fileOfDistro({ controlPlane }: Config): string {
  const runs = (name: string) => controlPlane?.distro?.[name]?.enabled === true
  if (runs('k3s')) return '/data/server/cred/admin.kubeconfig'
  return runs('k0s') ? '/data/k0s/pki/admin.conf' : '/data/pki/admin.conf'
}

function targetNamespaceOf(payload: Payload, options: Options, config: Config): string {
  const targetNamespace =
    config.workloadTargetNamespace || config.hostTargetNamespace || options.targetNamespace
  return targetNamespace || payload.currentNamespace
}

function requireField(value: string | null | undefined, field: string): string {
  if (value) return value
  throw new PluginError(
    'INVALID_CONTEXT',
    `Initialize has no ${field}; this vcluster may be newer than the SDK supports`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PluginError(
      'INVALID_CONTEXT',
      'Initialize is not JSON; this vcluster may be newer than the SDK supports',
      { cause },
    )
  }
}

/** The values themselves stay out of the message: kubeconfigs hold credentials. */
function read<T>(schema: z.ZodType<T>, value: unknown, prefix: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `${prefix}${issue.path.join('.')}: ${issueText(issue)}`)
  throw new PluginError('INVALID_CONTEXT', `Initialize has unexpected fields: ${problems.join('; ')}`)
}
