import type { CaseClient } from './case-client.js'

/** One rule of the API, checked on every cluster. */
export interface Case {
  /** A title, unique in its group. */
  readonly name: string
  /** The source of the rule: a KEP, a page of the Kubernetes documentation, or a path of its source code. */
  readonly source: string
  /** A component that the cluster must have for the case. */
  readonly needs?: 'controller-manager'
  /** Rejects if the cluster does not follow the rule. */
  run(client: CaseClient): Promise<void>
}

/** Cases about one subject. */
export interface CaseGroup {
  readonly name: string
  readonly cases: readonly Case[]
}
