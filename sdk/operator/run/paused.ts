import type { KubeObject } from '../../engine/kube/object.js'

/** A person stops a controller from touching an object by this annotation, for example while they repair something. */
export function isPaused({ metadata }: KubeObject, group: string): boolean {
  return metadata.annotations?.[`${group || 'core'}/paused`] === 'true'
}
