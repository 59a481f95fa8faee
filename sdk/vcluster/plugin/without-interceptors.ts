import { PluginError } from '../../engine/kube/error.js'

/**
 * Error for a plugin with interceptors in a mode that never calls them: a guard that is not called must not seem to
 * guard. `why` begins the sentence that ends with what to do.
 */
export function noInterceptorsError(why: string): PluginError {
  const advice =
    'interceptors need vcluster 0.20 or later and a plugin inside its container ("plugins" in its values): ' +
    'run the plugin there, or do not register interceptors'
  return new PluginError('INTERCEPTORS_UNSUPPORTED', `${why}; ${advice}`)
}
