/**
 * `vcluster-plugin dev`: a host and a virtual cluster and a stand-in for the vcluster process in this process,
 * the plugin in its own, and a line for each change that it mirrors.
 *
 * It promises that the plugin runs as it would beside a vcluster, with the sidecar's environment, and that its
 * process never outlives this one. What the clusters and the vcluster process answer is left to `apiserver/` and
 * `testing/`.
 */

import type { DevOptions } from './dev-options.js'
import { DevSession } from './dev-session.js'
import { findPlugin } from './find-plugin.js'
import { answerKeys, type Keys } from './keys.js'
import { openBrowser } from './open-browser.js'
import { DevReport } from './report.js'
import { reservePort } from './reserve-port.js'
import { createScreen } from './screen.js'
import { answerStopSignals } from './stop-signals.js'

/** What a shell answers for a program that SIGINT has ended. */
const forcedStatus = 130

/**
 * Runs until it is stopped, or with `once` until the samples are mirrored. Throws a `PluginError` that says what
 * is wrong: `NO_PLUGIN`, `ADDRESS_IN_USE`, `PLUGIN_FAILED`, `BAD_SAMPLES`, `CANNOT_WRITE` or `NOT_MIRRORED`.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const report = new DevReport(createScreen(), options)
  const plugin = await findPlugin(options.folder)
  const vclusterPort = await reservePort(options.vclusterPort, '--vcluster-port')
  const session = new DevSession({ options, plugin, vclusterPort, report })
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

/** The letters of Vite, for the same things. */
function keysOf(session: DevSession, report: DevReport, quit: () => void): Keys {
  const open = () => {
    const { inspectorUrl = '' } = session
    openBrowser(inspectorUrl, () =>
      report.said(`no browser could be opened; the inspector is ${inspectorUrl}`),
    )
  }
  return {
    r: { does: 'restart the plugin', run: () => void session.restart() },
    o: { does: 'open the inspector', run: open },
    q: { does: 'stop everything', run: quit },
  }
}
