/**
 * `vcluster-plugin dev`: a host and a virtual cluster and a stand-in for the vcluster process in this process,
 * the plugin in its own, and a line for each change that it mirrors.
 *
 * It promises that the plugin runs as it would beside a vcluster, inside its container or on its own, with the
 * environment that it would have there, and that its process never outlives this one. Where the clusters come from is a
 * `ClusterSource`, how the plugin is run a `PluginPlace`; what the clusters and the vcluster process answer is left to
 * `apiserver/` and `testing/`.
 */

import { freePorts } from '../../simulator/free-ports.js'
import type { ClusterSource } from '../clusters/clusters.js'
import { placeInspector } from '../inspector/inspector-address.js'
import { openBrowser } from '../machine/open-browser.js'
import { reservePort } from '../machine/reserve-port.js'
import { findPlugin } from '../program/find-plugin.js'
import { answerKeys, type Keys } from '../terminal/keys.js'
import { createScreen } from '../terminal/screen.js'
import type { DevOptions } from './dev-options.js'
import { DevSession, type DevSessionParts } from './dev-session.js'
import { type BesidePorts, besideVCluster } from './modes/sidecar.js'
import { DevReport } from './report.js'
import { answerStopSignals } from './stop-signals.js'

/** What a shell answers for a program that SIGINT has ended. */
const forcedStatus = 130

/**
 * Runs until it is stopped, or with `once` until the samples are mirrored. Throws a `PluginError` that says what
 * is wrong: `NO_PLUGIN`, `ADDRESS_IN_USE`, `PLUGIN_FAILED`, `BAD_SAMPLES`, `CANNOT_WRITE` or `NOT_MIRRORED`, and
 * for real clusters those of `openRealClusters`.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const report = new DevReport(createScreen(), options)
  const session = await sessionOf(options, report)
  const stopped = new Promise<void>((resolve) => {
    const onForce = () => {
      session.kill()
      process.exit(forcedStatus)
    }
    answerStopSignals({ onStop: resolve, onForce })
  })
  const quit = () => process.kill(process.pid, 'SIGTERM')
  const endKeys = options.once
    ? () => {}
    : answerKeys(process.stdin, keysOf(session, report, quit), report.said)
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
  // Taken at once and while the other is held, so that no two are the same.
  const [hookPort = 0, inspectorPort = 0] = await freePorts(2)
  return new DevSession({
    ...{ options, plugin, report },
    openClusters: sourceOf(options),
    placeOf: await placeFor(options, { vclusterPort, hookPort }),
    inspector: options.once ? { url: undefined, env: {} } : placeInspector(process.env, inspectorPort),
  })
}

function sourceOf(options: DevOptions): ClusterSource {
  const { real } = options
  if (!real)
    return async () => (await import('../clusters/embedded-clusters.js')).startEmbeddedClusters(options)
  return async (describe) =>
    (await import('../clusters/real-clusters.js')).openRealClusters(options, { ...real, describe })
}

async function placeFor({ mode }: DevOptions, ports: BesidePorts): Promise<DevSessionParts['placeOf']> {
  if (mode === 'sidecar') return (parts) => besideVCluster(parts, ports)
  await ports.vclusterPort.release()
  if (mode === 'in-syncer') return (await import('./modes/in-syncer.js')).insideVCluster
  return (await import('./modes/standalone.js')).standingAlone
}

/** The letters of Vite, for the same things. */
function keysOf(session: DevSession, report: DevReport, quit: () => void): Keys {
  const open = () => {
    const { inspectorUrl } = session
    if (inspectorUrl === undefined) return report.said('the inspector is at the address in METRICS_ADDRESS')
    report.said(`opening the inspector, ${inspectorUrl}`)
    openBrowser(inspectorUrl, () => report.said(`cannot start a browser; open ${inspectorUrl} yourself`))
  }
  return {
    r: { does: 'restart the plugin', run: () => void session.restart() },
    o: { does: 'open the inspector', run: open },
    q: { does: 'stop everything', run: quit },
  }
}
