/** What `vcluster-plugin doctor` found out about one thing. */
export interface Finding {
  /** The thing: `Node`, `host cluster`. */
  about: string
  /** `failed` keeps a plugin from running, a `warning` may, what is `skipped` could not be looked at. */
  state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** What is there, and where it is not well, what to do. */
  says: string
}

/** A finding. */
export const finding = (about: string, state: Finding['state'], says: string): Finding => ({
  about,
  state,
  says,
})
