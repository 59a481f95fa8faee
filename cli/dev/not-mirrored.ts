import { PluginError } from '../../sdk/kube/error.js'

/** How long what `--once` waits for may take, in milliseconds. */
export const onceLimitMs = 30_000

/** What `--once` says where nothing came of it in time: a `PluginError` `NOT_MIRRORED`. */
export const notMirrored = (problem: string) =>
  new PluginError(
    'NOT_MIRRORED',
    `${problem} within ${onceLimitMs / 1000} s; see the plugin's log with --verbose`,
  )
