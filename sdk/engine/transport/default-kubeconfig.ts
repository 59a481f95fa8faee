import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PluginError } from '../kube/error.js'
import type { Kubeconfig } from './kubeconfig.js'
import { loadKubeconfig } from './load-kubeconfig.js'

/** Options of {@link inClusterKubeconfig}. */
export interface InClusterOptions {
  /** The folder where Kubernetes mounts the pod's service account; default the well-known one. */
  directory?: string
  /** The environment; default the process's own. */
  env?: NodeJS.ProcessEnv
}

/**
 * The identity of a pod in its own cluster: the mounted service account. See
 * https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/
 *
 * @throws `PluginError` with code `INVALID_KUBECONFIG` outside of a pod
 */
export async function inClusterKubeconfig({
  directory = '/var/run/secrets/kubernetes.io/serviceaccount',
  env = process.env,
}: InClusterOptions = {}): Promise<Kubeconfig> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  const tokenFile = join(directory, 'token')
  if (!host || !port || !existsSync(tokenFile)) {
    throw new PluginError(
      'INVALID_KUBECONFIG',
      `there is no kubeconfig: KUBECONFIG is not set, ${homeFile(env)} does not exist, and there is no service account of a pod (${tokenFile}). Set KUBECONFIG to the path of a kubeconfig, or run the program with vcluster-plugin dev, which needs no cluster.`,
    )
  }
  const namespaceFile = join(directory, 'namespace')
  const namespace = existsSync(namespaceFile) ? (await readFile(namespaceFile, 'utf8')).trim() : ''
  return {
    source: "the pod's service account",
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    caFile: join(directory, 'ca.crt'),
    ...(namespace && { namespace }),
    user: { tokenFile },
  }
}

const homeFile = (env: NodeJS.ProcessEnv) => join(env.HOME ?? homedir(), '.kube', 'config')

/** Options of {@link loadDefaultKubeconfig}. */
export interface DefaultKubeconfigOptions extends InClusterOptions {
  /** The context to use; default the file's `current-context`. */
  context?: string
}

/**
 * Loads the kubeconfig that kubectl would use: the first existing file of `KUBECONFIG`, else `~/.kube/config`, else the
 * pod's service account.
 */
export async function loadDefaultKubeconfig({
  context,
  ...inCluster
}: DefaultKubeconfigOptions = {}): Promise<Kubeconfig> {
  const { env = process.env } = inCluster
  const namedFiles = (env.KUBECONFIG ?? '').split(delimiter).filter(Boolean)
  const candidates = namedFiles.length > 0 ? namedFiles : [homeFile(env)]
  const file = candidates.find((candidate) => existsSync(candidate)) ?? namedFiles[0]
  if (file === undefined) return inClusterKubeconfig(inCluster)
  return loadKubeconfig({ file, ...(context !== undefined && { context }) })
}
