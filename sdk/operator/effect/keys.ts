import uniq from 'lodash/uniq.js'
import { PermanentError } from '../../engine/kube/error.js'

/** The number of keys that one object may have in an effect. */
export const maxKeys = 100

/** The number of keys that fit in an annotation, including keys whose things could not be removed yet. */
export const maxNotedKeys = 2 * maxKeys

const keyPattern = /^[!#-[\]-~]{1,253}$/

/** Whether a text can be a key: it is written to an annotation, and users may choose it. */
export function isKey(text: string): boolean {
  return keyPattern.test(text)
}

/**
 * The keys without repetitions.
 *
 * @throws `PermanentError` if there are too many, or one is not valid
 */
export function checkKeys(name: string, keys: readonly string[]): readonly string[] {
  const unique = uniq(keys)
  if (unique.length > maxKeys)
    throw new PermanentError(
      `effect ${name}: ${unique.length} keys are too many; one object may have ${maxKeys} of them`,
    )
  const wrong = unique.find((key) => !isKey(key))
  if (wrong === undefined) return unique
  throw new PermanentError(
    `effect ${name}: ${JSON.stringify(wrong.slice(0, 80))} is not a valid key; take 1 to 253 visible ASCII characters ` +
      'without spaces, quotes and backslashes',
  )
}
