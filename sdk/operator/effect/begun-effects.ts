import type { KubeObject } from '../../engine/kube/object.js'

/** The effects that were begun for an object, by its metadata: the status, and with it the journal, can be lost. */
export interface BegunEffects {
  has(name: string): boolean
  /** Notes an effect. Resolves when the API server has it. */
  note(name: string): Promise<void>
}

/** The annotation by which a primary object says that an effect was begun for it. */
export function begunAnnotation(group: string, name: string): string {
  return `${group || 'core'}/begun-effect.${name}`
}

/** Whether the annotation of an effect is there. */
export function isBegun({ metadata }: KubeObject, group: string, name: string): boolean {
  return metadata.annotations?.[begunAnnotation(group, name)] !== undefined
}
