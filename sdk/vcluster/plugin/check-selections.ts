import { PluginError } from '../../engine/kube/error.js'
import { formatResource } from '../../engine/kube/resource.js'
import type { Runnable } from '../syncer/runnable.js'
import type { Syncer } from '../syncer/syncer.js'
import { sameKindAs } from './same-kind.js'

/**
 * Throws `PluginError` `OVERLAPPING_SYNCERS` if two syncers of a kind give copies the same names and only one of them
 * selects its objects: that syncer would delete the copies of the other, which would create them again.
 */
export function checkSelections(syncer: Syncer, before: readonly Runnable[]): void {
  if (syncer.originals !== 'virtual') return
  for (const other of sameKindAs(syncer, before)) {
    if (!other.selects !== !syncer.selects && namesAlike(other, syncer)) throw overlapError(other, syncer)
  }
}

/** Whether two syncers give copies the same names. One key is enough, because names of all keys are computed alike. */
function namesAlike(one: Syncer, other: Syncer): boolean {
  const key = { namespace: 'default', name: 'a' }
  try {
    const [here, there] = [one.virtualToHost(key), other.virtualToHost(key)]
    return here?.name === there?.name && here?.namespace === there?.namespace
  } catch {
    // Names that need the object are not known here.
    return true
  }
}

function overlapError(one: Syncer, other: Syncer): PluginError {
  const [selecting, all] = one.selects ? [one, other] : [other, one]
  return new PluginError(
    'OVERLAPPING_SYNCERS',
    `syncers ${selecting.name} and ${all.name} copy ${formatResource(all.resource)} under the same names, and only ` +
      `${selecting.name} selects its objects: each would undo what the other one writes. Give ${all.name} the option select, ` +
      'or a method selects; the first registered syncer that selects an object copies it.',
  )
}
