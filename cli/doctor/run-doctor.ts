/**
 * `vcluster-plugin doctor`: checks everything outside the plugin that it needs.
 *
 * It changes nothing. Each failed check says what to do.
 */
import { createClient } from '../../sdk/client/create-client.js'
import type { CnpgPluginDescription } from '../../sdk/cnpg/description.js'
import { PluginError } from '../../sdk/kube/error.js'
import { createTransport } from '../../sdk/transport/create-transport.js'
import type { Kubeconfig } from '../../sdk/transport/kubeconfig.js'
import { loadKubeconfig } from '../../sdk/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/transport/transport.js'
import { loadUserKubeconfig } from '../clusters/user-kubeconfig.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { findPlugin } from '../program/find-plugin.js'
import { type OutputFormat, print } from '../terminal/output.js'
import { clusterFindings, vclusterFinding } from './cluster-findings.js'
import { cnpgFindings } from './cnpg/cnpg-findings.js'
import { type Finding, finding } from './finding.js'
import { nodeFinding, pluginFinding, portFinding } from './machine-findings.js'

/** Options of `vcluster-plugin doctor`. */
export interface DoctorOptions {
  folder: string
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  namespace: string | undefined
  output: OutputFormat
}

/** Prints the findings. Throws `PluginError` `PROBLEMS_FOUND` if a check failed. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  const plugin = await pluginFinding(options.folder)
  const cnpg = plugin.state === 'ok' ? await cnpgPluginIn(options.folder) : undefined
  const findings = [
    nodeFinding(process.versions.node),
    plugin,
    ...(cnpg ? await operatorFindings(cnpg, options) : await vclusterFindings(options)),
  ]
  const table = findings.map(({ state, check, message }) => [state, check, message])
  await print({ data: findings, table: [['STATE', 'CHECK', 'FINDING'], ...table] }, options.output)
  const failed = findings.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return
  const names = failed.map(({ check }) => check).join(', ')
  throw new PluginError('PROBLEMS_FOUND', `failed: ${names}; the findings say what to do`)
}

/** The plugin for CloudNativePG in a folder; undefined if it has another program, or one that does not describe itself. */
async function cnpgPluginIn(folder: string): Promise<CnpgPluginDescription | undefined> {
  const description = await describeAnyProgram(await findPlugin(folder)).catch(() => undefined)
  return description?.kind === 'CnpgPluginDescription' ? description : undefined
}

async function vclusterFindings(options: DoctorOptions): Promise<Finding[]> {
  return [await portFinding(), ...(await hostFindings(options)), ...(await virtualFindings(options))]
}

async function hostFindings({ kubeconfig, context, namespace }: DoctorOptions): Promise<Finding[]> {
  const named = kubeconfig ?? process.env.HOST_KUBECONFIG
  return withCluster('host cluster', loadUserKubeconfig({ kubeconfig: named, context }), {
    isNamed: named !== undefined || context !== undefined,
    more: async (transport, config) => [
      await vclusterFinding(transport, namespace ?? config.namespace ?? 'default'),
    ],
  })
}

async function operatorFindings(
  { name }: CnpgPluginDescription,
  { kubeconfig, context, namespace }: DoctorOptions,
): Promise<Finding[]> {
  const now = new Date()
  return withCluster('cluster', loadUserKubeconfig({ kubeconfig, context }), {
    isNamed: kubeconfig !== undefined || context !== undefined,
    more: (transport) => cnpgFindings({ client: createClient({ transport }), plugin: name, namespace, now }),
  })
}

async function virtualFindings({
  virtual = process.env.VIRTUAL_KUBECONFIG,
}: DoctorOptions): Promise<Finding[]> {
  const check = 'virtual cluster'
  if (virtual === undefined) return [finding(check, 'skipped', 'pass its kubeconfig with --virtual')]
  return withCluster(check, loadKubeconfig({ file: virtual }), { isNamed: true })
}

interface WithClusterOptions {
  /** Whether the user named the kubeconfig; then it must be readable. */
  isNamed: boolean
  /** Further checks, if the cluster answers. */
  more?: (transport: Transport, config: Kubeconfig) => Promise<Finding[]>
}

async function withCluster(
  check: string,
  loading: Promise<Kubeconfig>,
  { isNamed, more }: WithClusterOptions,
): Promise<Finding[]> {
  try {
    const config = await loading
    const transport = createTransport({ kubeconfig: config })
    const found = await clusterFindings({ check, transport, source: config.source, nowMs: () => Date.now() })
    const answers = found[0]?.state === 'ok' && more !== undefined
    const all = answers ? [...found, ...(await more(transport, config))] : found
    await transport.close()
    return all
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    return [finding(check, isNamed ? 'failed' : 'skipped', error.message)]
  }
}
