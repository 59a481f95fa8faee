import { invalid } from '../status.js'
import { unsupported } from '../validation/field-error.js'

/** Whether a write is only tried out. Throws 422 for anything but `All`. */
export function isDryRun(
  values: readonly string[],
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
): boolean {
  if (values.length === 0) return false
  if (values.every((value) => value === 'All')) return true
  const shown = `[${values.map((value) => `"${value}"`).join(',')}]`
  throw invalid({ group: 'meta.k8s.io', kind }, '', [unsupported('dryRun', shown, ['All'])])
}

/** Whether a field that the kind does not have is an error; https://kep.k8s.io/2885 */
export function isStrict(query: URLSearchParams): boolean {
  return query.get('fieldValidation') === 'Strict'
}
