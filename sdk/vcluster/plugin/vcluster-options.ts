import { createLogger } from '../../engine/observe/create-logger.js'
import { hclogForm } from '../remote/v2/hclog-form.js'
import { guardProcess } from './guard-process.js'
import type { PluginRuntimeOptions } from './plugin-options.js'

/** How long a plugin may take to end after the process that started it, in milliseconds. */
const goneMs = 15_000

/**
 * The options for a program that a vcluster process has started; empty in the other modes. Takes over the standard
 * streams unless the preload has done so already.
 */
export function vclusterOptions(
  env: Readonly<Record<string, string | undefined>>,
): Pick<PluginRuntimeOptions, 'logger' | 'openSession'> {
  const streams = guardProcess(env)
  if (!streams) return {}
  return {
    logger: createLogger(env, hclogForm(streams)),
    openSession: async (options) => {
      const { openInSyncer } = await import('./in-syncer.js')
      return openInSyncer(options, { streams, onGone: endSoon })
    },
  }
}

/** Ends the process, whatever its program still waits for. */
function endSoon(): void {
  setTimeout(() => process.exit(1), goneMs).unref()
}
