import { describes } from '../../engine/manager/describes.js'
import type { OpenSessionOptions, Session } from './session.js'

/**
 * The place where a plugin runs, by its environment: inside the syncer container, in a sidecar container, or
 * on its own.
 */
export type Mode = 'in-syncer' | 'sidecar' | 'standalone'

/** Finds the mode from the variables that vcluster and its charts set. */
export function modeOf(env: Readonly<Record<string, string | undefined>>): Mode {
  if (env.VCLUSTER_PLUGIN === 'vcluster') return 'in-syncer'
  return env.VCLUSTER_PLUGIN_NAME || env.VCLUSTER_PLUGIN_ADDRESS ? 'sidecar' : 'standalone'
}

/**
 * Opens the session of the mode that the environment selects. Only that mode's packages are loaded, because loading
 * delays the start.
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  if (describes(options.env)) return (await import('./described.js')).openDescribed(options)
  const mode = modeOf(options.env)
  if (mode === 'sidecar') return (await import('./sidecar.js')).openSidecar(options)
  if (mode === 'in-syncer') return (await import('./in-syncer.js')).openInSyncer(options)
  return (await import('./standalone.js')).openStandalone(options)
}
