import { PluginError } from '../../sdk/engine/kube/error.js'
import { reservePort } from '../machine/reserve-port.js'
import { findPlugin } from '../program/find-plugin.js'
import { type Finding, finding } from './finding.js'

/**
 * The releases of Node in `engines` of package.json: from these minor versions on, and every major version after them.
 */
const supportedNodes = [
  { major: 20, minor: 19 },
  { major: 22, minor: 12 },
] as const
const everyNodeFrom = 23

/** Checks the version of Node. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported =
    major >= everyNodeFrom || supportedNodes.some((node) => node.major === major && minor >= node.minor)
  const message = isSupported ? version : `${version} is not supported; install 20.19, 22.12, 24 or newer`
  return finding('Node', isSupported ? 'ok' : 'failed', message)
}

/** Checks that the folder has a program. */
export async function pluginFinding(folder: string): Promise<Finding> {
  try {
    const { name, entry } = await findPlugin(folder)
    return finding('program', 'ok', `${name}, ${entry}`)
  } catch (error) {
    if (error instanceof PluginError) return finding('program', 'warning', error.message)
    throw error
  }
}

const vclusterPort = 10_099

/** Checks the vcluster process's port, which `dev` may use. */
export async function portFinding(port = vclusterPort): Promise<Finding> {
  const check = `port ${port}`
  try {
    const { release } = await reservePort(port, '--vcluster-port')
    await release()
    return finding(check, 'ok', 'free; in a vcluster Pod the vcluster process listens on it for sidecars')
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    return finding(check, 'ok', 'in use; dev takes a free port by default')
  }
}
