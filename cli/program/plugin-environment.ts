import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variables that select a plugin's mode or belong to one mode. */
const modeVariables = [
  'VCLUSTER_PLUGIN',
  'VCLUSTER_PLUGIN_NAME',
  'VCLUSTER_PLUGIN_ADDRESS',
  'VCLUSTER_LISTEN_ADDRESS',
  'PLUGIN_NAME',
]
/** Variables by which clients of Kubernetes, and programs such as helm, find a cluster or credentials for one. */
const clusterVariables = /KUBECONFIG|^KUBERNETES_|^KUBE_|^HELM_KUBE/i
/** Variables of Windows that also name the home folder, in which clients look for `.kube/config`. */
const homeVariables = ['HOMEDRIVE', 'HOMEPATH']

/**
 * The environment of a program that this command starts: that of this process, without the variables of modes, without
 * those that lead to a cluster, and with an empty home folder. So a program reaches only the clusters whose kubeconfigs
 * a caller adds.
 */
export function pluginEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { LOG_LEVEL: logLevel = '', ...inherited } = env
  for (const name of Object.keys(inherited)) if (clusterVariables.test(name)) delete inherited[name]
  for (const name of [...modeVariables, ...homeVariables]) delete inherited[name]
  const home = emptyHome()
  // `dev` formats and filters the log itself, and needs the line that the plugin is running.
  const log = { LOG_FORMAT: 'json', LOG_LEVEL: ['trace', 'debug'].includes(logLevel) ? logLevel : 'info' }
  return { ...inherited, ...log, HOME: home, USERPROFILE: home }
}

let home: string | undefined

/** One folder for all programs of this process, as a container has one. It is deleted when this process exits. */
function emptyHome(): string {
  home ??= createHome()
  return home
}

function createHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vcluster-plugin-home-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
