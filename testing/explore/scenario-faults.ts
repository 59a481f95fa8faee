/** The faults of a scenario of any program. */
export type ScenarioFault =
  /** Kills the program at each write: before it is sent, when it is stored, and when it is answered. */
  | 'crashes'
  /** Delays the watch events of each step until the next step is over: the program acts on an old state meanwhile. */
  | 'late-events'
  /** Drops the watch events of each step, so that the program must list again; delivers them twice. */
  | 'lost-events'
  /** Refuses each call with 503, and each write also with 409; drops the answer of each write. */
  | 'refusals'

/** The faults of a scenario of an operator. */
export type OperatorFault =
  | ScenarioFault
  /** Makes a second replica the leader at each write, while the first one still runs. */
  | 'leader-changes'
  /** A user takes the change of a step back before each write, and makes it again. */
  | 'flips'
  /** A user deletes the primary objects before each write, and creates them again. */
  | 'recreation'
  /** Upgrades the operator to its next release at each write, and back. */
  | 'upgrades'
  /** An administrator removes the definitions after each step, and brings them back with their objects. */
  | 'reinstallation'
  /** A user edits each field that the operator applied: one write must repair it. */
  | 'edits'
  /** A user deletes owned and primary objects in each way. */
  | 'deletions'
