import type { OpenObject } from '../../base/object.js'
import type { PluginWrite } from '../plugin.js'
import type { Amounts } from './amounts.js'

/** A scope of a quota, and for some scopes the values that it includes; `core/v1`. */
export interface ScopeSelector {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** How a quota counts the objects of one resource. */
export interface Evaluator {
  /** Whether a write may change the usage of a quota. */
  handles(write: PluginWrite): boolean
  /** Selects the names in a quota that limit this resource. */
  matching(names: readonly string[]): readonly string[]
  /** Returns the amounts that an object uses. */
  usage(object: OpenObject, now: Date): Amounts
  /** Whether an object is in a scope; a resource without scopes is in none. */
  isInScope(selector: ScopeSelector, object: OpenObject): boolean
  /** The reason why an object cannot be counted. */
  problem?(names: readonly string[], object: OpenObject): string | undefined
}
