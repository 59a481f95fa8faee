import type { OptionTypes } from '../../../engine/manager/check-options.js'
import type { KeyFilter } from './key-filter.js'

/** Options of `UpTranslator`. */
export interface UpTranslatorOptions {
  /** The labels of the original that the copy gets; default all but vcluster's own. */
  labels?: KeyFilter
  /** The annotations of the original that the copy gets; default all but vcluster's own. */
  annotations?: KeyFilter
  /** Whether a missing virtual namespace is created; default true, else the syncer waits for it. */
  createsNamespaces?: boolean
  /**
   * Whether an existing virtual object with the name of a copy is taken over; default false: it is left alone, and gets
   * an Event about that.
   */
  adopts?: boolean
}

/** The names of {@link UpTranslatorOptions}, for the check of options that have these. */
export const upTranslatorTypes: OptionTypes<UpTranslatorOptions> = {
  labels: 'any',
  annotations: 'any',
  createsNamespaces: 'any',
  adopts: 'any',
}
