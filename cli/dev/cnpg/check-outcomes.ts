import { PluginError } from '../../../sdk/engine/kube/error.js'
import { badSamplesError } from '../../samples/bad-samples-error.js'
import { failureText } from './failure-text.js'
import type { ClusterOutcome } from './simulated-clusters.js'

/**
 * Ends `dev --once` for Clusters of the samples that were refused, as for a sample that an API server refuses, and for
 * a Cluster that failed. `lastError` is the last error of the plugin's log. Throws `PluginError` `INVALID_MANIFEST` or
 * `NOT_READY`.
 */
export function checkOutcomes(outcomes: readonly ClusterOutcome[], lastError: string | undefined): void {
  const refused = outcomes.filter(({ state }) => state === 'refused')
  if (refused.length > 0) {
    const texts = refused.map(({ name, text }) => `${name} is ${text}`).join('; ')
    const cure = 'correct the sample, or move a Cluster that has to be refused to another folder'
    throw badSamplesError('the samples', `${texts}; ${cure}`)
  }
  const failed = outcomes.find(({ state }) => state === 'failed')
  if (failed)
    throw new PluginError(
      'NOT_READY',
      `${failed.name} is not healthy: ${failureText(failed.text, lastError)}`,
    )
}
