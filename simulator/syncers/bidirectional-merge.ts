import { jsonEqual } from '../../sdk/kube/json.js'

/** Something that both clusters' users may change, now and as it was left. */
export interface BidirectionalStates<V> {
  virtualOld: V
  virtual: V
  hostOld: V
  host: V
}

/**
 * What both sides should have: the virtual side's where it changed, else the host's where that did, else each its own
 * (`CopyBidirectional` in `pkg/util/translate/translate.go` @ vcluster v0.33.1).
 */
export function copyBidirectional<V>({ virtualOld, virtual, hostOld, host }: BidirectionalStates<V>): {
  virtual: V
  host: V
} {
  if (!jsonEqual(virtualOld ?? null, virtual ?? null)) return { virtual, host: virtual }
  return jsonEqual(hostOld ?? null, host ?? null) ? { virtual, host } : { virtual: host, host }
}

type Words = Readonly<Record<string, string>>

/**
 * What the virtual side's labels or annotations should be: as they are where they changed, else with what changed on the
 * host (`LabelsBidirectionalUpdate` in `pkg/util/translate/labels.go` @ vcluster v0.33.1).
 */
export function mergeBidirectional({
  virtualOld,
  virtual,
  hostOld,
  host,
}: BidirectionalStates<Words>): Words {
  if (!jsonEqual(virtualOld, virtual)) return virtual
  const gone = Object.keys(hostOld).filter((key) => !Object.hasOwn(host, key))
  const come = Object.entries(host).filter(([key, value]) => memberOf(hostOld, key) !== value)
  const kept = Object.entries(virtual).filter(([key]) => !gone.includes(key))
  return Object.fromEntries([...kept, ...come])
}

const memberOf = (words: Words, key: string) => (Object.hasOwn(words, key) ? words[key] : undefined)
