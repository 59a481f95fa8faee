/**
 * `vcluster-plugin doctor`: looks at everything outside the plugin that it needs.
 *
 * It promises to change nothing, and to say with each thing that is not well what to do.
 */
import { PluginError } from '../../sdk/kube/error.js'
import { createTransport } from '../../sdk/transport/create-transport.js'
import { type Kubeconfig, loadKubeconfig } from '../../sdk/transport/kubeconfig.js'
import { loadUserKubeconfig } from '../clusters/user-kubeconfig.js'
import { type OutputFormat, print } from '../terminal/output.js'
import { clusterFindings, vclusterFinding } from './cluster-findings.js'
import { type Finding, finding } from './finding.js'
import { nodeFinding, pluginFinding, portFinding } from './machine-findings.js'

/** What `vcluster-plugin doctor` was asked for. */
export interface DoctorOptions {
  folder: string
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  namespace: string | undefined
  output: OutputFormat
}

/** Prints what was found. Throws `PluginError` `CHECKS_FAILED` where a plugin could not run. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  const findings = [
    nodeFinding(process.versions.node),
    await pluginFinding(options.folder),
    await portFinding(),
    ...(await hostFindings(options)),
    ...(await virtualFindings(options)),
  ]
  const table = findings.map(({ state, about, says }) => [state, about, says])
  await print({ data: findings, table: [['STATE', 'CHECK', 'FINDING'], ...table] }, options.output)
  const failed = findings.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return
  const names = failed.map(({ about }) => about).join(', ')
  throw new PluginError('CHECKS_FAILED', `failed: ${names}; the findings say what to do`)
}

async function hostFindings({ kubeconfig, context, namespace }: DoctorOptions): Promise<Finding[]> {
  const named = kubeconfig ?? process.env.HOST_KUBECONFIG
  return withCluster('host cluster', loadUserKubeconfig({ kubeconfig: named, context }), {
    isNamed: named !== undefined || context !== undefined,
    namespace: (config) => namespace ?? config.namespace ?? 'default',
  })
}

async function virtualFindings({
  virtual = process.env.VIRTUAL_KUBECONFIG,
}: DoctorOptions): Promise<Finding[]> {
  const about = 'virtual cluster'
  if (virtual === undefined) return [finding(about, 'skipped', 'pass its kubeconfig with --virtual')]
  return withCluster(about, loadKubeconfig({ file: virtual }), { isNamed: true })
}

interface WithClusterOptions {
  /** Whether a kubeconfig that cannot be read was asked for. */
  isNamed: boolean
  /** Where a vcluster may run; default nowhere. */
  namespace?: (config: Kubeconfig) => string
}

async function withCluster(
  about: string,
  loading: Promise<Kubeconfig>,
  { isNamed, namespace }: WithClusterOptions,
): Promise<Finding[]> {
  try {
    const config = await loading
    const transport = createTransport({ kubeconfig: config })
    const found = await clusterFindings({ about, transport, source: config.source, nowMs: () => Date.now() })
    const answers = found[0]?.state === 'ok' && namespace !== undefined
    const all = answers ? [...found, await vclusterFinding(transport, namespace(config))] : found
    await transport.close()
    return all
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    return [finding(about, isNamed ? 'failed' : 'skipped', error.message)]
  }
}
