import type { Explanation } from '../../../engine/inspector/explanation-view.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Reconciler } from '../../syncer/reconciler.js'
import { type Pair, Syncer } from '../../syncer/syncer.js'
import type { InspectedPair } from './inspected-pair.js'
import { shownDifferences } from './shown-differences.js'
import { shownObject } from './shown-object.js'

/** The method of translators that returns the wanted copy, `undefined` if the copy is up to date. */
interface Translates {
  translateUpdate(host: KubeObject, virtual: KubeObject): KubeObject | undefined
}

/** Compares a copy with the copy that its syncer wants; if the syncer cannot tell, with the original. */
export function compareCopy(
  syncer: Reconciler,
  { virtual, host }: Pick<InspectedPair, 'virtual' | 'host'>,
): Pick<Explanation, 'comparedWith' | 'differences'> {
  if (!virtual || !host) return { comparedWith: null, differences: [] }
  const isDown = !(syncer instanceof Syncer) || syncer.originals === 'virtual'
  const [original, copy] = isDown ? [virtual, host] : [host, virtual]
  const show = (object: KubeObject) => shownObject(syncer.resource, object)
  if (!translates(syncer))
    return { comparedWith: 'original', differences: shownDifferences(show(original), show(copy)) }
  const wanted = wantedCopy(syncer, { virtual, host }, copy)
  if (!wanted) return { comparedWith: 'original', differences: shownDifferences(show(original), show(copy)) }
  const fieldDifferences = shownDifferences(show(wanted), show(copy), { withMetadata: true })
  return { comparedWith: 'wanted', differences: fieldDifferences }
}

function translates(syncer: Reconciler): syncer is Reconciler & Translates {
  return 'translateUpdate' in syncer && typeof syncer.translateUpdate === 'function'
}

/**
 * The copy that the syncer wants; undefined if the plugin's own code throws. The error of the last run shows the
 * reason.
 */
function wantedCopy(
  syncer: Translates,
  { virtual, host }: Pair<KubeObject>,
  copy: KubeObject,
): KubeObject | undefined {
  try {
    return syncer.translateUpdate(host, virtual) ?? copy
  } catch {
    return undefined
  }
}
