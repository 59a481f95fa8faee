/**
 * `vcluster-plugin dev`: runs a host cluster, a virtual cluster and a simulated vcluster process in this process and the plugin
 * in another, and prints a line for each change of a copy.
 *
 * The plugin runs with the environment of its mode: sidecar, in-syncer or standalone. Its process never outlives this one. A
 * `ClusterSource` provides the clusters, a `PluginRunner` runs the plugin in its mode. `apiserver/` implements the clusters,
 * `simulator/` the vcluster process.
 */

import { freePorts } from '../../simulator/free-ports.js'
import type { ClusterSource } from '../clusters/clusters.js'
import { inspectorAddress } from '../inspector/inspector-address.js'
import { openBrowser } from '../machine/open-browser.js'
import { reservePort } from '../machine/reserve-port.js'
import { findPlugin } from '../program/find-plugin.js'
import { handleKeys, type Keys } from '../terminal/keys.js'
import { createScreen } from '../terminal/screen.js'
import type { DevOptions } from './dev-options.js'
import { DevSession, type DevSessionOptions } from './dev-session.js'
import { type SidecarPorts, sidecarRunner } from './modes/sidecar.js'
import { DevReport } from './report.js'
import { handleStopSignals } from './stop-signals.js'

/** The exit status of a shell for a program that SIGINT ended. */
const forcedStatus = 130

/**
 * Runs until it is stopped, or with `once` until the samples are copied. Throws a `PluginError` `NO_PLUGIN`, `CANNOT_LISTEN`,
 * `PLUGIN_FAILED`, `INVALID_MANIFEST`, `CANNOT_WRITE` or `NOT_MIRRORED`, and for real clusters the errors of `openRealClusters`.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const report = new DevReport(createScreen(), options)
  const session = await sessionOf(options, report)
  const stopped = new Promise<void>((resolve) => {
    const onForce = () => {
      session.kill()
      process.exit(forcedStatus)
    }
    handleStopSignals({ onStop: resolve, onForce })
  })
  const quit = () => process.kill(process.pid, 'SIGTERM')
  const endKeys = options.once
    ? () => {}
    : handleKeys(process.stdin, keysOf(session, report, quit), report.message)
  try {
    await Promise.race([stopped.then(() => report.stopping()), session.run()])
  } finally {
    endKeys()
    await session.stop()
  }
}

async function sessionOf(options: DevOptions, report: DevReport): Promise<DevSession> {
  const plugin = await findPlugin(options.folder)
  const vclusterPort = await reservePort(options.vclusterPort, '--vcluster-port')
  // Taken together, and while the other port is reserved, so that all three differ.
  const [hookPort = 0, inspectorPort = 0] = await freePorts(2)
  return new DevSession({
    ...{ options, plugin, report },
    openClusters: sourceOf(options),
    createRunner: await runnerFactory(options, { vclusterPort, hookPort }),
    inspector: options.once ? { url: undefined, env: {} } : inspectorAddress(process.env, inspectorPort),
  })
}

function sourceOf(options: DevOptions): ClusterSource {
  const { real } = options
  if (!real)
    return async () => (await import('../clusters/embedded-clusters.js')).startEmbeddedClusters(options)
  return async (describe) =>
    (await import('../clusters/real-clusters.js')).openRealClusters(options, { ...real, describe })
}

async function runnerFactory(
  { mode }: DevOptions,
  ports: SidecarPorts,
): Promise<DevSessionOptions['createRunner']> {
  if (mode === 'sidecar') return (parts) => sidecarRunner(parts, ports)
  await ports.vclusterPort.release()
  if (mode === 'in-syncer') return (await import('./modes/in-syncer.js')).inSyncerRunner
  return (await import('./modes/standalone.js')).standaloneRunner
}

/** The keys; the letters are those of Vite. */
function keysOf(session: DevSession, report: DevReport, quit: () => void): Keys {
  const open = () => {
    const { inspectorUrl } = session
    if (inspectorUrl === undefined)
      return report.message('the inspector is at the address in METRICS_ADDRESS')
    report.message(`opening the inspector, ${inspectorUrl}`)
    openBrowser(inspectorUrl, () => report.message(`cannot start a browser; open ${inspectorUrl} yourself`))
  }
  return {
    r: { label: 'restart the plugin', run: () => void session.restart() },
    o: { label: 'open the inspector', run: open },
    q: { label: 'stop everything', run: quit },
  }
}
