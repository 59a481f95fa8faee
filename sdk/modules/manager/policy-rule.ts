/**
 * A permission rule of a program in the cluster of its Modules, as in RBAC. `*` means all groups, resources or verbs.
 */
export interface PolicyRule {
  /** The API group; `''` for the core group. */
  readonly group: string
  /** The plural, such as `deployments`. */
  readonly resource: string
  readonly verbs: readonly string[]
  /** Default: all namespaces. */
  readonly namespace?: string | undefined
}
