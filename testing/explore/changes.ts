/** The changes that an exploration made after the steps of a scenario. */
export interface Changes {
  /** The changes; see {@link ScenarioReport.changes}. */
  readonly changes: readonly string[]
  /** The changes that the API server does not let users make. */
  readonly refused: readonly string[]
}
