import { PluginError } from '../../sdk/engine/kube/error.js'

/** A `PluginError` `INVALID_MANIFEST` about a file of samples, which `dev` and `manifest --check` apply. */
export const badSamplesError = (path: string, problem: string) =>
  new PluginError('INVALID_MANIFEST', `cannot apply ${path}: ${problem}`)
