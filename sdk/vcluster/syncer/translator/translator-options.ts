import type { OptionTypes } from '../../../engine/manager/check-options.js'
import type { HostNaming } from '../../naming/naming.js'
import type { RememberedPath } from '../both/remembered.js'
import type { ExcludedPath } from '../fields/field-paths.js'
import type { References } from '../references/reference-rules.js'
import type { KeyFilter } from './key-filter.js'

/** Options of every translator. */
export interface TranslatorOptions {
  /** Annotations that belong to the host: never copied, never removed; default none. */
  excludedAnnotations?: readonly string[]
  /** Labels of the copy that belong to the host: never copied, never removed; default none. */
  excludedLabels?: readonly string[]
  /** The labels of the original that the copy gets; default all, as vcluster does. */
  labels?: KeyFilter
  /** The annotations of the original that the copy gets; default all, as vcluster does. */
  annotations?: KeyFilter
  /**
   * The fields that refer to other objects, and how they are translated. An object with a member that looks like a
   * reference and has no rule is not copied; built-in kinds that make sense on the host have rules already. `plain`
   * copies everything unchanged, for kinds that no tenant can write.
   */
  references?: References | 'plain'
  /**
   * Fields whose last synced state each copy records, so that `sync` and `Translator.syncBoth` know which side has
   * changed a field, even while no replica ran; default none. Do not list fields that `Translator.transform` changes.
   */
  remembers?: readonly RememberedPath[]
}

/** The names of {@link TranslatorOptions}, for the check of options that have these. */
export const translatorTypes: OptionTypes<TranslatorOptions> = {
  excludedAnnotations: 'any',
  excludedLabels: 'any',
  labels: 'any',
  annotations: 'any',
  references: 'any',
  remembers: 'any',
}

/** Options that only the SDK's own translators set. */
export interface OwnTranslatorOptions extends TranslatorOptions {
  naming: HostNaming
  /** Fields that are not remembered, because each side has its own; default none. */
  ignored?: readonly ExcludedPath[]
}
