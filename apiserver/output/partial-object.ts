import type { KubeObject } from '../../sdk/engine/kube/object.js'

/** The API version of tables and of bare metadata. */
export const meta = 'meta.k8s.io/v1'

/** The metadata of an object as a `meta.k8s.io/v1 PartialObjectMetadata`. */
export function partialObject({ metadata }: KubeObject): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion: meta, metadata }
}
