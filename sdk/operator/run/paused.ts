import type { KubeObject } from '../../engine/kube/object.js'

/**
 * Whether the annotation `<group>/paused` stops the controller from changing an object, for example during a repair.
 */
export function hasPausedAnnotation({ metadata }: KubeObject, group: string): boolean {
  return metadata.annotations?.[`${group || 'core'}/paused`] === 'true'
}
