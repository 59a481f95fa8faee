/** When a hook of a chart runs. */
export const hookEvents = [
  ...([
    'pre-install',
    'post-install',
    'pre-upgrade',
    'post-upgrade',
    'pre-rollback',
    'post-rollback',
  ] as const),
  ...(['pre-delete', 'post-delete', 'test'] as const),
]

/** One of {@link hookEvents}. */
export type HookEvent = (typeof hookEvents)[number]

/** The last run of a hook; `started_at` and `completed_at` are times by RFC 3339. */
export interface HookRun {
  readonly started_at?: string
  readonly completed_at?: string
  readonly phase: 'Unknown' | 'Running' | 'Succeeded' | 'Failed'
}

/** A hook of a chart as a release stores it, with Helm's names. */
export interface ReleaseHook {
  readonly name: string
  readonly kind: string
  /** The file that it comes from. */
  readonly path: string
  /** The object as YAML. */
  readonly manifest: string
  readonly events: readonly string[]
  readonly weight?: number
  readonly delete_policies?: readonly string[]
  readonly output_log_policies?: readonly string[]
  readonly last_run?: HookRun
}
