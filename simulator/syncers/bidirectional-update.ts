import type { KubeObject, ObjectMeta } from '../../sdk/engine/kube/object.js'
import { isObjectAnnotation } from './annotations.js'
import {
  type BidirectionalStates,
  type BothValues,
  copyBidirectional,
  mergeBidirectional,
} from './bidirectional-merge.js'
import { type FieldPath, fieldAt, withField } from './field-path.js'
import type { LabelTranslator, StringMap } from './labels.js'
import { blockDeletion } from './metadata-keys.js'

/** A virtual object and its copy. */
export interface ObjectPair<T extends KubeObject> {
  readonly virtual: T
  readonly host: T
}

/** Input of {@link bidirectionalUpdate}. */
export interface BidirectionalUpdateOptions<T extends KubeObject> extends ObjectPair<T> {
  /**
   * Both objects after the last run, before the hooks; `undefined` if this process has not synced them yet.
   */
  old: ObjectPair<T> | undefined
  /** The fields that the users of both clusters may change. */
  fields: readonly FieldPath[]
  labels: LabelTranslator
}

/**
 * Returns both objects with the changes of the other: labels, annotations, and the given fields. Since 0.21.
 */
export function bidirectionalUpdate<T extends KubeObject>(
  options: BidirectionalUpdateOptions<T>,
): ObjectPair<T> {
  const { virtual, host, fields } = options
  const old = options.old ?? { virtual: withoutLabels(virtual), host }
  const states = { virtualOld: old.virtual, virtual, hostOld: old.host, host }
  const pair = fields.reduce(
    (both, field) => {
      const value = copyBidirectional(statesOf(states, (object) => fieldAt(object, field)))
      return {
        virtual: withField(both.virtual, field, value.virtual),
        host: withField(both.host, field, value.host),
      }
    },
    options as ObjectPair<T>,
  )
  const labels = mergeBidirectional(
    statesOf(states, ({ metadata }) => metadata.labels ?? {}),
    {
      toHost: (key) => options.labels.hostKey(key),
      toVirtual: (key) => options.labels.virtualKey(key),
    },
  )
  const annotations = mergeBidirectional(
    statesOf(states, ({ metadata }) => metadata.annotations ?? {}),
    annotationKeys,
  )
  return withMetadata({ virtual: pair.virtual, host: pair.host }, { labels, annotations })
}

const statesOf = <T, V>(states: BidirectionalStates<T>, of: (object: T) => V): BidirectionalStates<V> => ({
  virtualOld: of(states.virtualOld),
  virtual: of(states.virtual),
  hostOld: of(states.hostOld),
  host: of(states.host),
})

const commonKey = (key: string) =>
  isObjectAnnotation(key, '0.36') || key === blockDeletion ? undefined : key
const annotationKeys = { toHost: commonKey, toVirtual: commonKey }

type MergedMaps = Readonly<Record<'labels' | 'annotations', BothValues<StringMap>>>

function withMetadata<T extends KubeObject>({ virtual, host }: ObjectPair<T>, maps: MergedMaps) {
  const { labels, annotations } = maps
  return {
    virtual: withMaps(virtual, labels.virtual, annotations.virtual),
    host: withMaps(host, labels.host, annotations.host),
  }
}

function withMaps<T extends KubeObject>(object: T, labels: StringMap, annotations: StringMap): T {
  const { labels: labelsNow, annotations: annotationsNow, ...metadata } = object.metadata
  const changed: ObjectMeta = {
    ...metadata,
    // An empty map differs from a missing one: an object without labels must not look changed.
    ...((labelsNow || Object.keys(labels).length > 0) && { labels }),
    ...((annotationsNow || Object.keys(annotations).length > 0) && { annotations }),
  }
  return { ...object, metadata: changed }
}

/**
 * Labels that this process has not synced yet count as changed in the virtual cluster (`pkg/syncer/syncer.go` @
 * v0.33.1).
 */
function withoutLabels<T extends KubeObject>(virtual: T): T {
  const { labels: _, ...metadata } = virtual.metadata
  return { ...virtual, metadata }
}
