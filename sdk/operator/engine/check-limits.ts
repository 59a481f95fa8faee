import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ControllerOptions } from '../controller/definition.js'

const limits = ['concurrency', 'maxRunsPerSecond', 'resyncMs', 'everyMs', 'runLimitMs'] as const

/** Throws a `PluginError` `INVALID_REGISTRATION` for a limit or an interval of a controller that is not above 0. */
export function checkLimits<T extends KubeObject>(name: string, options: ControllerOptions<T>): void {
  for (const limit of limits) {
    const value = options[limit]
    if (value === undefined || value > 0) continue
    const message = `controller ${name}: ${limit} must be above 0, got ${value}; leave it out for the default`
    throw new PluginError('INVALID_REGISTRATION', message)
  }
}
