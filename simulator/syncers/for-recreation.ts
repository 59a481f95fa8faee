import omit from 'lodash/omit.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'

const identity = ['uid', 'resourceVersion', 'generation', 'deletionTimestamp'] as const

/** A copy of the object without the metadata that vcluster removes before it creates the object again. */
export function forRecreation<T extends KubeObject>(object: T): T {
  return { ...object, metadata: omit(object.metadata, identity) as T['metadata'] }
}
