import { relative } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { readPluginLine } from '../program/plugin-log.js'
import { type PluginProcess, spawnPlugin } from '../program/plugin-process.js'
import type { Figures } from './figures.js'
import { cpuMs, peakMiB } from './process-usage.js'

/** Measures a running program, by its process; `up` resolves when it runs. */
export type Work<T> = (pid: number, up: Promise<void>) => Promise<T>

/** Runs `work` while the program runs. Throws `PluginError` `PLUGIN_FAILED` if the program exits first. */
export async function withProgram<T>(
  { entry, env }: { entry: string; env: Readonly<Record<string, string>> },
  work: Work<T>,
): Promise<T> {
  let resolveUp = () => {}
  const up = new Promise<void>((resolve) => {
    resolveUp = resolve
  })
  const program = spawnPlugin({
    entry,
    env,
    onLine: (line) => readPluginLine(line)?.running && resolveUp(),
  })
  try {
    return await Promise.race([work(program.pid, up), endOf(program, entry)])
  } finally {
    await program.terminate(systemClock)
  }
}

/** Rejects when the program exits by itself. */
async function endOf({ exited }: PluginProcess, entry: string): Promise<never> {
  const { code, signal, failure } = await exited
  const how = failure
    ? `failed while bench ran it: ${failure.message}`
    : `ended with ${signal ?? `status ${code}`} while bench ran it; run vcluster-plugin dev to see its log`
  throw new PluginError('PLUGIN_FAILED', `the program ${relative(process.cwd(), entry)} ${how}`)
}

/** The usage of a running process; nothing except on Linux. */
export function usageOf(pid: number): Pick<Figures['cold'], 'cpuMs' | 'peakMiB'> {
  return process.platform === 'linux' ? { cpuMs: cpuMs(pid), peakMiB: peakMiB(pid) } : {}
}
