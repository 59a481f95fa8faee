/** The result of one check of `vcluster-plugin doctor`. */
export interface Finding {
  /** The checked thing: `Node`, `host cluster`. */
  check: string
  /** `failed` prevents a plugin from running, `warning` may prevent it, `skipped` was not checked. */
  state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** The result, and what to do if the check failed. */
  message: string
}

/** Creates a finding. */
export const finding = (check: string, state: Finding['state'], message: string): Finding => ({
  check,
  state,
  message,
})
