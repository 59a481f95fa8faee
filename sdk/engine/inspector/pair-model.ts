/** The keys of syncers and controllers in the inspector's JSON. */
import type { Key } from '../kube/key.js'

/**
 * The state of a pair: in sync; waiting, running or being retried; in conflict with a foreign object that has
 * the copy's name; failing so often that it is retried once a minute; failed for good until something
 * changes; left to another controller; or without a copy, because its syncer made none.
 */
export type PairState =
  | 'in sync'
  | 'pending'
  | 'name conflict'
  | 'quarantined'
  | 'given up'
  | 'left alone'
  | 'not copied'

/** Every state, those first that need a person. */
export const pairStates: readonly PairState[] = [
  'quarantined',
  'name conflict',
  'given up',
  'pending',
  'not copied',
  'left alone',
  'in sync',
]

/** A key of a syncer or a controller, and its state. */
export interface PairView extends Key {
  /** The name of the syncer or the controller. */
  readonly syncer: string
  readonly kind: string
  /** The cluster of a controller's object; null for the pair of a syncer. */
  readonly cluster: string | null
  /** The host object's key, even if it does not exist, as `namespace/name`; null if it must not exist. */
  readonly host: string | null
  /** Also whether the object of a controller exists. */
  readonly hasVirtual: boolean
  readonly hasHost: boolean
  readonly state: PairState
  /** Why the object is not as it should be, in a sentence; null if it is, or if that is not known. */
  readonly problem: string | null
  /** Retries in a row. */
  readonly failures: number
  /** The time until the key runs again by itself, in milliseconds; null if it runs only after a change. */
  readonly dueInMs: number | null
  /** The release that is deployed for the object of a controller, if it has one. */
  readonly release: DeployedRelease | null
}

/** A release as the status of its object has it. */
export interface DeployedRelease {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  readonly chart: string
}

/** Some of the pairs that were asked for: those first that need a person, then by syncer and name. */
export interface PairPage {
  readonly pairs: readonly PairView[]
  /** How many there are that fit the question, by state. */
  readonly counts: Readonly<Record<PairState, number>>
  /** How many of those are of the state that was asked for. */
  readonly matched: number
}
