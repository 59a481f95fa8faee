import type { Scene } from './scene.js'

/** One rule of the API, checked alike on every cluster. */
export interface Case {
  /** A sentence, unique in its group. */
  readonly name: string
  /** Where the rule is written: a KEP, a page of the Kubernetes documentation, a path of its source. */
  readonly source: string
  /** What a cluster must have for the case to mean anything. */
  readonly needs?: 'controller-manager'
  /** Rejects when the cluster behaves otherwise. */
  run(scene: Scene): Promise<void>
}

/** Cases about one thing. */
export interface CaseGroup {
  readonly name: string
  readonly cases: readonly Case[]
}
