import { createHash } from 'node:crypto'
import { canonicalJson } from '../../kube/canonical-json.js'
import { jsonEqual } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import { project } from './project.js'

/** The record of one applied object. */
interface Applied {
  /** Digest of the intent. */
  readonly digest: string
  readonly uid: string | undefined
  /** The values that the API server stored for the intended fields, after defaulting and admission. */
  readonly stored: unknown
}

/**
 * The intents that were applied, and what the API server made of them. Comparing an intent with the live object would take
 * defaults, normalised quantities and admission for changes; comparing the live object with the answer to the last apply does
 * not.
 */
export class ApplyMemo {
  readonly #applied = new Map<string, Applied>()

  /** Whether the object with this id is remembered. */
  has(id: string): boolean {
    return this.#applied.has(id)
  }

  /** Whether `intent` equals the last applied one, and no field of it has changed since. */
  isCurrent(id: string, intent: object, live: KubeObject): boolean {
    const applied = this.#applied.get(id)
    if (applied?.uid !== live.metadata.uid || applied?.digest !== digestOf(intent)) return false
    return jsonEqual(applied.stored, project(intent, live))
  }

  /** Remembers the answer to an apply of `intent`. */
  remember(id: string, intent: object, answer: KubeObject): void {
    const { uid } = answer.metadata
    this.#applied.set(id, { digest: digestOf(intent), uid, stored: project(intent, answer) })
  }

  forget(id: string): void {
    this.#applied.delete(id)
  }
}

function digestOf(intent: object): string {
  return createHash('sha256').update(canonicalJson(intent)).digest('base64')
}
