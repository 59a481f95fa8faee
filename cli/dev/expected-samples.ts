import { formatResource } from '../../sdk/engine/kube/resource.js'
import type { PluginDescription, ResourceDescription } from '../../sdk/vcluster/plugin/description.js'
import type { Sample } from '../samples/samples.js'

/** Samples that the plugin should copy, and the others. */
export interface SortedSamples {
  readonly expected: readonly Sample[]
  /** Samples of kinds that the plugin does not copy. */
  readonly others: readonly Sample[]
}

/**
 * Sorts samples by whether the plugin has a syncer for their kind, or a hook, whose kind the simulated vcluster copies.
 * Without a description, copies of all samples are expected.
 */
export function sortSamples(
  samples: readonly Sample[],
  description: Pick<PluginDescription, 'syncers' | 'upSyncers' | 'hooks'> | undefined,
): SortedSamples {
  if (!description) return { expected: samples, others: [] }
  const { syncers, upSyncers = [], hooks = [] } = description
  const copied = {
    virtual: new Set([...syncers, ...hooks].map(nameOf)),
    host: new Set(upSyncers.map(nameOf)),
  }
  const isCopied = ({ side, resource }: Sample) => copied[side].has(formatResource(resource))
  return {
    expected: samples.filter(isCopied),
    others: samples.filter((sample) => !isCopied(sample)),
  }
}

const nameOf = ({ resource }: { resource: ResourceDescription }) => formatResource(resource)
