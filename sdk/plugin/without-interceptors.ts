import { PluginError } from '../kube/error.js'

/**
 * What a plugin with interceptors ends with where nobody would ask them: one that guards something must not seem to.
 * `why` begins the sentence that goes on with what would do.
 */
export function withoutInterceptors(why: string): PluginError {
  const advice =
    'interceptors need vcluster 0.20 or later and a plugin inside its container ("plugins" in its values): ' +
    'run it so, or do not register them here'
  return new PluginError('INTERCEPTORS_UNSUPPORTED', `${why}; ${advice}`)
}
