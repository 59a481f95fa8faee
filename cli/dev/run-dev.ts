/**
 * `vcluster-plugin dev`: runs a program in a process of its own, next to the clusters that it needs, which run in this
 * process unless the user names others.
 *
 * The program's process never outlives this one. `programs/` has one file per kind of program: a plugin runs between a
 * host cluster and a virtual cluster next to a simulated vcluster process, an operator on its clusters. `apiserver/`
 * implements the clusters, `simulator/` the vcluster process.
 */

import { PluginError } from '../../sdk/engine/kube/error.js'
import { systemClock as clock } from '../../sdk/engine/time/clock.js'
import { checkPort } from '../machine/reserve-port.js'
import { findPlugin } from '../program/find-plugin.js'
import { checkSamplesExist } from '../samples/samples.js'
import { ControlledScreen } from '../terminal/controlled-screen.js'
import { handleKeys } from '../terminal/keys.js'
import { createScreen } from '../terminal/screen.js'
import { type ClaimedFolder, claimFolder, claimState } from './claim-folder.js'
import { devKeys } from './dev-keys.js'
import type { DevOptions } from './dev-options.js'
import { onParentGone } from './parent-gone.js'
import type { DevProgram } from './programs/dev-program.js'
import { devProgram } from './programs/dev-programs.js'
import { DevReport } from './report.js'
import { handleStopSignals } from './stop-signals.js'
import { onceLimitMs } from './wait-limits.js'

/** The exit status of a shell for a program that SIGINT ended. */
const forcedStatus = 130

/**
 * Runs until it is stopped, or with `once` until the samples are handled. Throws a `PluginError` `NO_PLUGIN`,
 * `CANNOT_LISTEN`, `PLUGIN_FAILED`, `NO_DESCRIPTION`, `INVALID_MANIFEST`, `CANNOT_WRITE`, `NOT_MIRRORED`, `NOT_READY`
 * or `STOPPED`, and for real clusters the errors of `openRealClusters`.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const files = await claimFolder(options.dir)
  let state: ClaimedFolder | undefined
  try {
    if (options.state !== undefined) state = await claimState(options.state)
    await runIn({ ...options, dir: files.dir }, options.dir)
  } finally {
    await Promise.all([files.release(), state?.release()])
  }
}

/** Runs `dev` in a claimed folder. */
async function runIn(options: DevOptions, requestedDir: string): Promise<void> {
  const terminal = createScreen()
  const screen = new ControlledScreen(terminal)
  const report = new DevReport(screen, options)
  if (options.dir !== requestedDir)
    report.message(`another dev uses ${requestedDir}, so the files of this one are in ${options.dir}`)
  const plugin = await findPlugin(options.folder)
  if (options.samples !== undefined) checkSamplesExist(options.samples)
  if (options.inspect) await checkPort(options.inspect, '--inspect')
  // A mistake in the limit is an error before anything starts.
  if (options.once) onceLimitMs()
  let program: DevProgram | undefined
  const { signal, stopped } = stopOnSignals(report, () => program?.kill())
  program = await devProgram({ options, plugin, report }, signal)
  if (program === undefined) return stoppedEarly(options)
  // Answers to keys are shown at once, also while the output is paused.
  const { message: print } = new DevReport(terminal, options)
  const endKeys = options.once
    ? () => {}
    : handleKeys(process.stdin, devKeys({ program, screen, print, quit }), print)
  try {
    await Promise.race([stopped.then(() => stoppedEarly(options)), program.run()])
  } finally {
    endKeys()
    // Lines that were kept back are shown before an error and before the messages about the stop.
    screen.resume()
    await program.stop()
  }
}

/** Throws with `once`: CI must not count a run that was stopped as a success. */
function stoppedEarly({ once }: Pick<DevOptions, 'once'>): void {
  if (once)
    throw new PluginError(
      'STOPPED',
      '--once was stopped before all samples were handled; run it again to its end',
    )
}

/** The two forms of the first stop signal. */
interface Stop {
  /** Aborts with the first signal. */
  readonly signal: AbortSignal
  /** Resolves with the first signal. */
  readonly stopped: Promise<void>
}

/** Stops in order with the first signal, or when the parent process is gone; kills the program with a later signal. */
function stopOnSignals(report: DevReport, killProgram: () => void): Stop {
  const ending = new AbortController()
  const stopped = new Promise<void>((resolve) => {
    const onStop = () => {
      ending.abort()
      report.stopping()
      resolve()
    }
    const onForce = () => {
      killProgram()
      process.exit(forcedStatus)
    }
    handleStopSignals({ onStop, onForce })
    onParentGone({ env: process.env, parentId: () => process.ppid, clock, onGone: quit })
  })
  return { signal: ending.signal, stopped }
}

const quit = () => process.kill(process.pid, 'SIGTERM')
