/**
 * `vcluster-plugin dev`: runs a program in a process of its own, next to the clusters that it needs, which run in this process
 * unless the user names others.
 *
 * The program's process never outlives this one. `programs/` has one file per kind of program: a plugin runs between a host
 * cluster and a virtual cluster next to a simulated vcluster process, an operator on one cluster. `apiserver/` implements the
 * clusters, `simulator/` the vcluster process.
 */

import { openBrowser } from '../machine/open-browser.js'
import { findPlugin } from '../program/find-plugin.js'
import { handleKeys, type Keys } from '../terminal/keys.js'
import { createScreen } from '../terminal/screen.js'
import type { DevOptions } from './dev-options.js'
import type { DevProgram } from './programs/dev-program.js'
import { devProgram } from './programs/dev-programs.js'
import { DevReport } from './report.js'
import { handleStopSignals } from './stop-signals.js'

/** The exit status of a shell for a program that SIGINT ended. */
const forcedStatus = 130

/**
 * Runs until it is stopped, or with `once` until the samples are handled. Throws a `PluginError` `NO_PLUGIN`, `CANNOT_LISTEN`,
 * `PLUGIN_FAILED`, `INVALID_MANIFEST`, `CANNOT_WRITE` or `NOT_MIRRORED`, and for real clusters the errors of `openRealClusters`.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const report = new DevReport(createScreen(), options)
  const plugin = await findPlugin(options.folder)
  const ending = new AbortController()
  let program: DevProgram | undefined
  const stopped = new Promise<void>((resolve) => {
    const onStop = () => {
      ending.abort()
      report.stopping()
      resolve()
    }
    const onForce = () => {
      program?.kill()
      process.exit(forcedStatus)
    }
    handleStopSignals({ onStop, onForce })
  })
  program = await devProgram({ options, plugin, report }, ending.signal)
  if (program !== undefined) await runUntil(stopped, program, { options, report })
}

async function runUntil(
  stopped: Promise<void>,
  program: DevProgram,
  { options, report }: { options: DevOptions; report: DevReport },
): Promise<void> {
  const quit = () => process.kill(process.pid, 'SIGTERM')
  const endKeys = options.once
    ? () => {}
    : handleKeys(process.stdin, keysOf(program, report, quit), report.message)
  try {
    await Promise.race([stopped, program.run()])
  } finally {
    endKeys()
    await program.stop()
  }
}

/** The keys; the letters are those of Vite. */
function keysOf(program: DevProgram, report: DevReport, quit: () => void): Keys {
  const open = () => {
    const { inspectorUrl } = program
    if (inspectorUrl === undefined)
      return report.message('the inspector is at the address in METRICS_ADDRESS')
    report.message(`opening the inspector, ${inspectorUrl}`)
    openBrowser(inspectorUrl, () => report.message(`cannot start a browser; open ${inspectorUrl} yourself`))
  }
  return {
    r: { label: 'restart the plugin', run: () => void program.restart() },
    o: { label: 'open the inspector', run: open },
    q: { label: 'stop everything', run: quit },
  }
}
