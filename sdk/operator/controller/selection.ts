import type { KubeObject } from '../../engine/kube/object.js'
import { type Selectors, selectedBy } from '../../engine/store/selectors.js'

/**
 * Limits the remembered UIDs, because deletions of objects that are not selected are not observed. An object that is
 * forgotten too early is released once more.
 */
const maxReleased = 10_000

/** Tells which primary objects a controller selects, and which it has released because it selects them no longer. */
export class Selection {
  readonly #selects: (object: KubeObject) => boolean
  /** The UIDs of released objects, whose keys may still run. */
  readonly #released = new Set<string>()

  constructor(selectors: Selectors) {
    this.#selects = selectedBy(selectors)
  }

  /** Whether the selectors of the controller select the object. */
  selects(object: KubeObject): boolean {
    return this.#selects(object)
  }

  /** Whether nothing is left to do for an object that is not selected any more. */
  isReleased({ metadata }: KubeObject): boolean {
    return this.#released.has(metadata.uid ?? '')
  }

  /** Remembers that nothing is left to do for the object. */
  release({ metadata }: KubeObject): void {
    this.#released.add(metadata.uid ?? '')
    const [oldest = ''] = this.#released
    if (this.#released.size > maxReleased) this.#released.delete(oldest)
  }

  /** Forgets an object that is selected again. */
  forget({ metadata }: KubeObject): void {
    this.#released.delete(metadata.uid ?? '')
  }
}

/** The selection of a controller; undefined if it selects every object. */
export function selectionOf({ labelSelector, fieldSelector }: Selectors): Selection | undefined {
  return labelSelector || fieldSelector
    ? new Selection({ ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) })
    : undefined
}
