/** The report of an exploration of a scenario. */
export interface ScenarioReport {
  /** The number of runs with faults that {@link replay} can repeat. */
  readonly runs: number
  /**
   * The plugin's writes in the reference run, for example `create host configmaps vcluster-vc/greeting-x-default-x-vc`.
   */
  readonly writes: readonly string[]
  /** The faults of each run, as text for {@link replay}. */
  readonly schedules: readonly string[]
  /**
   * The changes after the steps, by `edits`, `deletions` and `reinstallation`: for example `Foreground delete of owned
   * objects`, or `main deployments default/daily /spec/replicas` for an edited field.
   */
  readonly changes: readonly string[]
  /**
   * Schedules whose faults were not all injected, because the run did not reach them or they found nothing to disturb;
   * fields that the API server does not let users edit; and deletions that it refused or that found no object. They
   * prove nothing.
   */
  readonly missed: readonly string[]
  /**
   * Whether a plugin that starts after the last step was verified to reach the same state. False if a step needs the
   * plugin to run, and for `perturb`.
   */
  readonly lateStartChecked: boolean
}
