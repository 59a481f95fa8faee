import type { KubeObject } from '../../sdk/kube/object.js'
import { excludedKeys } from '../../sdk/naming/annotations.js'
import type { PlainPair as Pair } from '../../sdk/syncer/syncer.js'
import { copyBidirectional, mergeBidirectional } from './bidirectional-merge.js'
import { type FieldPath, fieldAt, withField } from './field-path.js'

/** What {@link bidirectionalUpdate} compares. */
export interface BidirectionalUpdateOptions<T extends KubeObject> extends Pair<T> {
  /** Both sides as the last run left them, before the hooks; `undefined` where this process has not seen them yet. */
  left: Pair<T> | undefined
  /** The fields that either side may change. */
  fields: readonly FieldPath[]
  /** The labels of a copy as its original has them. */
  labelsUp: (host: T) => Record<string, string>
}

/**
 * Both sides with what changed on the other: labels and annotations of the virtual object, and the given fields of both.
 * The host's own metadata is for the translator to make.
 */
export function bidirectionalUpdate<T extends KubeObject>(options: BidirectionalUpdateOptions<T>): Pair<T> {
  const { virtual, host, fields, labelsUp } = options
  const left = options.left ?? { virtual: withoutLabels(virtual), host }
  const labels = mergeBidirectional({
    virtualOld: left.virtual.metadata.labels ?? {},
    virtual: virtual.metadata.labels ?? {},
    hostOld: labelsUp(left.host),
    host: labelsUp(host),
  })
  const annotations = mergeBidirectional({
    virtualOld: left.virtual.metadata.annotations ?? {},
    virtual: virtual.metadata.annotations ?? {},
    hostOld: annotationsUp(left.host),
    host: annotationsUp(host),
  })
  const flowed = fields.map((field) => {
    const states = { virtualOld: left.virtual, virtual, hostOld: left.host, host }
    return { field, ...copyBidirectional(fieldOfEach(states, field)) }
  })
  const up = flowed.reduce((object, { field, virtual: value }) => withField(object, field, value), virtual)
  const down = flowed.reduce((object, { field, host: value }) => withField(object, field, value), host)
  const metadata = {
    ...virtual.metadata,
    ...orNone('labels', labels, virtual),
    ...orNone('annotations', annotations, virtual),
  }
  return { virtual: { ...up, metadata }, host: down }
}

type States<V> = Record<'virtualOld' | 'virtual' | 'hostOld' | 'host', V>

function fieldOfEach(states: States<KubeObject>, field: FieldPath): States<unknown> {
  const { virtualOld, virtual, hostOld, host } = states
  return {
    virtualOld: fieldAt(virtualOld, field),
    virtual: fieldAt(virtual, field),
    hostOld: fieldAt(hostOld, field),
    host: fieldAt(host, field),
  }
}

/** Nothing where there is nothing and was nothing: an empty map is not the same as none. */
function orNone(name: 'labels' | 'annotations', words: Readonly<Record<string, string>>, before: KubeObject) {
  return Object.keys(words).length > 0 || before.metadata[name] ? { [name]: words } : {}
}

/** What this process has not seen yet counts as the virtual side's change (`pkg/syncer/syncer.go` @ vcluster v0.33.1). */
function withoutLabels<T extends KubeObject>(virtual: T): T {
  const { labels: _, ...metadata } = virtual.metadata
  return { ...virtual, metadata }
}

const sideBound = excludedKeys([])

/** The annotations of a copy that its user gave it: no marks. */
function annotationsUp({ metadata }: KubeObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(
      ([key]) => !/^vcluster\.loft\.sh\/(object|managed)-/.test(key) && !sideBound.has(key),
    ),
  )
}
