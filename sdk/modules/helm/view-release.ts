import type { ReleaseView } from '../../engine/inspector/release-view.js'
import type { Clock } from '../../engine/time/clock.js'
import type { ServedKinds } from '../../helm/reconciler/objects/capabilities.js'
import { DriftFinder } from '../../helm/reconciler/objects/drift-finder.js'
import { IgnoredFields } from '../../helm/reconciler/objects/ignored-fields.js'
import { readReleaseView } from '../../helm/reconciler/release-view.js'
import { moduleLabel } from '../manager/client-cluster.js'
import type { MetaData } from '../metadata/metadata.js'
import { sleepDrift } from '../sleep/sleep-drift.js'
import { checkReleaseNamespace, type HelmModule, isAdopted, releaseOfMetaData } from './helm-call.js'
import type { HelmModulesOptions } from './helm-modules-options.js'
import { sleepersKey } from './release-sleep.js'

/** A Module whose release is shown. */
export interface ViewedModule extends Pick<HelmModule, 'spec' | 'owner' | 'cluster' | 'client'> {
  readonly clock: Clock
  readonly kinds: ServedKinds
}

/**
 * Reads the release that a Module has installed or adopted; undefined if it has none. Users can change the metadata, so
 * the namespace of the release is checked, and an installed one must belong to the Module.
 */
export async function viewRelease(
  module: ViewedModule,
  { metaData, options }: { readonly metaData: MetaData; readonly options: HelmModulesOptions },
): Promise<ReleaseView | undefined> {
  const { spec, owner, cluster, client, clock, kinds } = module
  const recorded = releaseOfMetaData(metaData)
  if (!recorded) return undefined
  checkReleaseNamespace(recorded, module, options)
  const isForeign = isAdopted(spec)
  const view = await readReleaseView({
    client,
    clock,
    kinds,
    owner,
    isForeign,
    drift: new DriftFinder(new IgnoredFields(metaData.has(sleepersKey) ? sleepDrift : []), clock),
    release: { name: recorded.name, namespace: recorded.namespace },
    target: { cluster: cluster.name, reference: undefined },
    labels: { [moduleLabel]: owner.uid },
  })
  return isForeign || view.isOwn ? view : undefined
}
