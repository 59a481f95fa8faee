import { PluginError } from '../../sdk/kube/error.js'
import { reservePort } from '../machine/reserve-port.js'
import { findPlugin } from '../program/find-plugin.js'
import { type Finding, finding } from './finding.js'

const leastNode = [20, 19] as const

/** Whether this Node runs plugins. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  const says = isNew ? version : `${version} is too old; install ${leastNode.join('.')} or newer`
  return finding('Node', isNew ? 'ok' : 'failed', says)
}

/** Whether there is a plugin in the folder. */
export async function pluginFinding(folder: string): Promise<Finding> {
  try {
    const { name, entry } = await findPlugin(folder)
    return finding('plugin', 'ok', `${name}, ${entry}`)
  } catch (error) {
    if (error instanceof PluginError) return finding('plugin', 'warning', error.message)
    throw error
  }
}

const vclusterPort = 10_099

/** Whether a sidecar would find a vcluster process here, or `dev` could take its port. */
export async function portFinding(port = vclusterPort): Promise<Finding> {
  const about = `port ${port}`
  try {
    const { release } = await reservePort(port, '--vcluster-port')
    await release()
    return finding(about, 'ok', 'free; in a vcluster Pod the vcluster process listens on it for sidecars')
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    return finding(about, 'ok', 'in use; dev takes a free port by default')
  }
}
