/** A real vcluster in Pods of a real node, installed by its own chart; see README.md. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiReads } from '../node/api-reads.js'
import { missingHelm } from '../node/helm-program.js'
import { type Loose, missingNode, type RealNode, runProgram } from '../node/real-node.js'
import { until } from '../until.js'

/** The reason why a real vcluster cannot run here; `false` if it can. For tap's `skip`. */
export function missingVCluster(): string | false {
  const { VCLUSTER_ASSETS, VCLUSTER_CHART } = process.env
  if (!VCLUSTER_ASSETS) return 'VCLUSTER_ASSETS is not set: export VCLUSTER_ASSETS=$(test/vcluster/build)'
  if (!VCLUSTER_CHART) return 'VCLUSTER_CHART is not set: export VCLUSTER_CHART=$(test/vcluster-chart/fetch)'
  return missingNode() || missingHelm()
}

/** A vcluster that runs. */
export interface RealVCluster extends ApiReads {
  readonly name: string
  readonly namespace: string
  /** Its Pod. */
  pod(): Promise<Loose>
  /** Waits until its Pod and all containers of it are ready, and the Pod of an upgrade has replaced the one before. */
  ready(): Promise<void>
  /** Runs a command in one of its containers. */
  exec(container: string, ...command: string[]): Promise<string>
  /** How often a container has been started again. */
  restarts(container: string): Promise<number>
  /** Runs kubectl in the virtual cluster, as its administrator. `input` is for standard input. */
  kubectl(args: readonly string[], input?: string): Promise<string>
  /** Applies objects in the virtual cluster. */
  apply(...objects: object[]): Promise<string>
  /** An object of its host namespace. */
  host(...args: string[]): Promise<Loose>
}

/** Options of {@link vclusterOf}. */
export interface VClusterOptions {
  /** The name of the release. */
  name: string
  /** Default: as the documentation calls it. */
  namespace?: string
  /** The folder for its kubeconfig, `virtual.kubeconfig`. */
  files: string
}

/** A vcluster by the name of its release, which is in the namespace of that name. */
export async function vclusterOf(
  node: RealNode,
  { name, namespace = `vcluster-${name}`, files }: VClusterOptions,
): Promise<RealVCluster> {
  const inNamespace = ['-n', namespace]
  const pod = async () => {
    const { items } = await node.get(...inNamespace, 'pods', '-l', `app=vcluster,release=${name}`)
    return items.find(({ metadata }: Loose) => metadata.deletionTimestamp === undefined)
  }
  const containers = async (): Promise<Loose[]> => (await pod()).status.containerStatuses
  const kubeconfig = await virtualKubeconfig(node, { name, namespace, files })
  const kubectl: RealVCluster['kubectl'] = (args, input) =>
    node.run('kubectl', ['--kubeconfig', kubeconfig, ...args], input)
  const reads = await node.proxy(join(node.folder, `${name}.sock`), '--kubeconfig', kubeconfig)
  // The addresses of a Service become known a moment after its Pod is ready.
  await until(() => reads.read('/version').then(() => true))
  return {
    name,
    namespace,
    pod,
    ready: () => isReady(node, { name, namespace }),
    exec: async (container, ...command) =>
      node.kubectl(...inNamespace, 'exec', (await pod()).metadata.name, '-c', container, '--', ...command),
    restarts: async (container) =>
      (await containers()).find(({ name }) => name === container)?.restartCount ?? 0,
    kubectl,
    apply: (...items) =>
      kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items })),
    ...reads,
    host: (...args) => node.get(...inNamespace, ...args),
  }
}

interface Release {
  name: string
  namespace: string
}

/** Waits for the Pods of the newest revision. A busy machine starts a vcluster with ten plugins in two minutes. */
const isReady = (node: RealNode, { name, namespace }: Release) =>
  until(
    async () => {
      const [kind] = (
        await node.get('-n', namespace, 'statefulsets,deployments', '-l', 'app=vcluster')
      ).items.filter(({ metadata }: Loose) => metadata.name === name)
      const { observedGeneration, updatedReplicas, readyReplicas, replicas } = kind.status
      const isSeen = observedGeneration === kind.metadata.generation
      return isSeen && [updatedReplicas, readyReplicas, replicas].every((count) => count === 1)
    },
    { withinMs: 300_000 },
  )

/** A file with the kubeconfig that vcluster writes, with the address of its Service. */
async function virtualKubeconfig(
  node: RealNode,
  { name, namespace, files }: Required<VClusterOptions>,
): Promise<string> {
  // vcluster writes the Secret a moment after its Pod is ready.
  const secret = await eventually(() => node.get('-n', namespace, 'secret', `vc-${name}`))
  const { spec } = await node.get('-n', namespace, 'service', name)
  const server = `server: https://${spec.clusterIP}:443\n    tls-server-name: localhost`
  const text = Buffer.from(secret.data.config, 'base64').toString()
  const file = join(files, 'virtual.kubeconfig')
  await writeFile(file, text.replace(/server: \S+/, server))
  return file
}

/** The output of `vcluster-plugin manifest`. */
export const manifest = (...args: string[]): Promise<string> =>
  runProgram('node', ['bin/vcluster-plugin.js', 'manifest', ...args])

/** The result of a call that succeeds after a while. */
export async function eventually<T>(call: () => Promise<T>): Promise<T> {
  const results: T[] = []
  await until(async () => results.push(await call()) > 0)
  return results[0] as T
}
