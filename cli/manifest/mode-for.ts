import { PluginError } from '../../sdk/engine/kube/error.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import type { Mode } from '../../sdk/vcluster/plugin/mode.js'
import type { ManifestOptions } from './manifest-options.js'

/**
 * The mode for a plugin: the given one, or `in-syncer` for a plugin with interceptors and `sidecar` for others. Throws
 * `PluginError` `INTERCEPTORS_UNSUPPORTED` if vcluster would not call the plugin's interceptors.
 */
export function modeFor(
  { name, interceptors = [] }: Pick<PluginDescription, 'name' | 'interceptors'>,
  { mode, chart }: Pick<ManifestOptions, 'mode' | 'chart'>,
): Mode {
  if (interceptors.length === 0) return mode ?? 'sidecar'
  const names = interceptors.map((interceptor) => interceptor.name).join(', ')
  if (chart === 'before 0.20')
    throw unsupportedError(
      name,
      names,
      'this vcluster release does not call interceptors',
      '--vcluster-version 0.20.0 or later',
    )
  if (mode === undefined || mode === 'in-syncer') return 'in-syncer'
  throw unsupportedError(
    name,
    names,
    `vcluster does not call interceptors in mode ${mode}`,
    '--mode in-syncer, or omit --mode',
  )
}

function unsupportedError(plugin: string, names: string, why: string, cure: string): PluginError {
  return new PluginError(
    'INTERCEPTORS_UNSUPPORTED',
    `the plugin ${plugin} has interceptors (${names}), but ${why}; use ${cure}`,
  )
}
