import type { KubeObject } from '../../sdk/engine/kube/object.js'

/** An object of a manifest, whose further members (`spec`, `data`, `rules`) `KubeObject` does not name. */
export function wholeObject(object: KubeObject & { readonly [member: string]: unknown }): KubeObject {
  return object
}
