import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import type { UncheckedRule } from '../../sdk/operator/kind/rules/unchecked-rules.js'

/** Begins the line with the kinds, among lines that the user's module prints. */
export const linePrefix = 'vcluster-plugin-kinds:'

/** A kind that a module exports. */
export interface PrintedKind {
  readonly definition: CustomResourceDefinition
  readonly warnings: readonly string[]
  readonly unchecked: readonly UncheckedRule[]
}
