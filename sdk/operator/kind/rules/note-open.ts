import { declaredAt } from './declared.js'
import type { Estimator, Value } from './estimator.js'

const steps: Readonly<Record<string, string>> = { '@items': '[]', '@values': '{}', '@keys': '{}' }

/** Records the path of a list or a map without a limit over which an expression iterates. */
export function noteOpen({ path }: Value, { root, unlimited }: Estimator): void {
  if (declaredAt(root, path)?.isOpen !== true) return
  unlimited.add(
    path
      .slice(1)
      .map((step) => steps[step] ?? `.${step}`)
      .join(''),
  )
}
