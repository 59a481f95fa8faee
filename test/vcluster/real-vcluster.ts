/** A real vcluster in Pods of a real node, installed by its own chart; see README.md. */
import type { Test } from 'tap'
import { missingHelm, runHelm } from '../node/helm-program.js'
import { type Loose, missingNode, type RealNode, runProgram } from '../node/real-node.js'
import { until } from '../until.js'

/** The images that the chart runs. */
export const chartImages = ['localhost/vcluster:0.36.1', 'localhost/kubernetes:v1.36.3']

/** The reason why a real vcluster cannot run here; `false` if it can. For tap's `skip`. */
export function missingVCluster(): string | false {
  const { VCLUSTER_ASSETS, VCLUSTER_CHART } = process.env
  if (!VCLUSTER_ASSETS) return 'VCLUSTER_ASSETS is not set: export VCLUSTER_ASSETS=$(test/vcluster/build)'
  if (!VCLUSTER_CHART) return 'VCLUSTER_CHART is not set: export VCLUSTER_CHART=$(test/vcluster-chart/fetch)'
  return missingNode() || missingHelm()
}

/** A vcluster that runs. */
export interface RealVCluster {
  readonly namespace: string
  /** Its Pod. */
  pod(): Promise<Loose>
  /** Runs kubectl in the virtual cluster, as its administrator. `input` is for standard input. */
  kubectl(args: readonly string[], input?: string): Promise<string>
  /** An object of the virtual cluster. */
  get(...args: string[]): Promise<Loose>
}

/** Installs or upgrades a vcluster with values files, and waits until its Pod is ready. */
export async function installVCluster(
  t: Pick<Test, 'testdir'>,
  node: RealNode,
  { name, values }: { name: string; values: readonly string[] },
): Promise<RealVCluster> {
  const namespace = `vcluster-${name}`
  const files = ['test/vcluster/values.yaml', ...values].flatMap((file) => ['--values', file])
  const release = ['upgrade', '--install', name, process.env.VCLUSTER_CHART ?? '', '-n', namespace]
  await runHelm(node, [...release, '--create-namespace', ...files, '--wait', '--timeout', '4m'])
  // vcluster writes the Secret a moment after its Pod is ready.
  const secret = ['-n', namespace, 'get', 'secret', `vc-${name}`, '-o', 'jsonpath={.data.config}']
  await until(async () => (await node.kubectl(...secret)) !== '')
  const kubeconfig = await node.kubectl(...secret)
  const file = `${t.testdir({ kubeconfig: Buffer.from(kubeconfig, 'base64').toString() })}/kubeconfig`
  const { spec } = await node.get('-n', namespace, 'service', name)
  const address = ['--kubeconfig', file, '--server', `https://${spec.clusterIP}:443`]
  const kubectl = (args: readonly string[], input?: string) =>
    node.run('kubectl', [...address, '--tls-server-name', 'localhost', ...args], input)
  // The addresses of a Service become known a moment after its Pod is ready.
  await until(() => kubectl(['get', 'namespaces']).then(() => true))
  return {
    namespace,
    kubectl,
    async pod() {
      const { items } = await node.get('-n', namespace, 'pods', '-l', `app=vcluster,release=${name}`)
      return items.find(({ metadata }: Loose) => metadata.deletionTimestamp === undefined)
    },
    get: async (...args) => JSON.parse(await kubectl(['get', '-o', 'json', ...args])),
  }
}

/** The output of `vcluster-plugin manifest`. */
export const manifest = (...args: string[]): Promise<string> =>
  runProgram('node', ['bin/vcluster-plugin.js', 'manifest', ...args])
