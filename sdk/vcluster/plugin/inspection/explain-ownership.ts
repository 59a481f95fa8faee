import type { OwnershipView } from '../../../engine/inspector/explanation-view.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { controlledByLabel, markerLabel, uidAnnotation } from '../../naming/ownership-keys.js'
import { claimedSource, sourceUid } from '../../ownership/ownership.js'
import type { Reconciler } from '../../syncer/reconciler.js'
import { Syncer } from '../../syncer/syncer.js'
import { type InspectedPair, isLeftAlone } from './inspected-pair.js'

/** Whether the host object of a key is provably its own, and the reasons, in sentences. */
export function explainOwnership(syncer: Reconciler, key: Key, pair: InspectedPair): OwnershipView {
  if (!(syncer instanceof Syncer)) return unknown('It has no counterpart on the host.')
  if (pair.error !== undefined) return unknown('The syncer failed to name its host object.')
  if (!pair.hostKey) return unknown('The syncer has no host name for it.')
  if (!pair.host) return unknown(`There is no ${formatKey(pair.hostKey)} on the host.`)
  const reasons = pair.isPair ? whyOwned(syncer, pair, pair.host) : whyNot(syncer, key, pair.host)
  const leftAlone = isLeftAlone(syncer, pair)
  return {
    owned: pair.isPair,
    reasons: leftAlone ? [...reasons, `Another controller looks after it (${controlledByLabel}).`] : reasons,
  }
}

const unknown = (reason: string): OwnershipView => ({ owned: null, reasons: [reason] })

function whyOwned({ originals }: Syncer, { virtual }: InspectedPair, host: KubeObject): string[] {
  if (originals === 'host') return [`The host object ${formatKey(keyOf(host))} is its original.`]
  const marker = host.metadata.labels?.[markerLabel]
  const claim = marker === undefined ? 'The syncer says so' : `The label ${markerLabel}=${marker} says so`
  return [`${claim}, and the name computed from the original is that of the copy.`, uidReason(virtual, host)]
}

function uidReason(virtual: KubeObject | undefined, host: KubeObject): string {
  const uid = sourceUid(host)
  if (!virtual) return 'Its original is gone.'
  if (uid === undefined) return `It has no ${uidAnnotation} yet; the next write adds it.`
  if (uid === virtual.metadata.uid) return 'It names the UID of the original.'
  return `It was made for an earlier original of that name (${uidAnnotation} is ${uid}, the original's UID ${virtual.metadata.uid}).`
}

function whyNot(syncer: Syncer, key: Key, host: KubeObject): string[] {
  const hostKey = formatKey(keyOf(host))
  if (syncer.originals === 'host') return [`The syncer does not bring up the host object ${hostKey}.`]
  const source = claimedSource(host)
  const reasons = [
    `The host object ${hostKey} is not provably a copy of ${formatKey(key)}, so it is never written.`,
  ]
  if (!host.metadata.labels?.[markerLabel]) reasons.push(`It has no label ${markerLabel}.`)
  if (!source) reasons.push('It has no annotation that names an original.')
  else if (formatKey(source) !== formatKey(key))
    reasons.push(`It names ${formatKey(source)} as its original.`)
  else
    reasons.push(
      'Its ownership labels and annotations do not agree with its name, its kind or this vcluster.',
    )
  return reasons
}
