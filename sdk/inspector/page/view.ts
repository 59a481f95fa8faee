import type { Overview } from '../model.js'
import type { RecentRun } from '../recorder.js'

/** One thing that the page shows; every method is called as often as there is news. */
export interface View {
  readonly title: string
  readonly elements: readonly HTMLElement[]
  /** The plugin at a glance. */
  show?(overview: Overview): void
  /** Runs have ended. */
  ran?(runs: readonly RecentRun[]): void
}
