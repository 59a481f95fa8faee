import type { ApiError } from '../../sdk/engine/kube/error.js'
import { failure } from '../request/status.js'
import type { ManagedEntry } from './managed-fields.js'
import type { Overlap } from './ownership.js'
import { showPath } from './path-element.js'

interface ManagerConflict {
  readonly manager: string
  readonly path: string
}

/** 409 for an apply that changes fields of other managers; `conflict.go` of apimachinery. */
export function applyConflictError(overlaps: readonly Overlap[]): ApiError {
  const conflicts = overlaps.flatMap(conflictsOf)
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field: path,
  }))
  return failure(409, messageOf(conflicts), { reason: 'Conflict', details: { causes } })
}

function conflictsOf({ entry, set }: Overlap): ManagerConflict[] {
  const manager = describe(entry)
  return [...set.paths()].map((path) => ({ manager, path: showPath(path) }))
}

function describe({ manager, operation, apiVersion, subresource }: ManagedEntry): string {
  const subresourceText = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const version = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(manager)}${subresourceText}${version}`
}

function messageOf(conflicts: readonly ManagerConflict[]): string {
  const [first] = conflicts
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.path}`
  }
  const byManager = new Map<string, string[]>()
  for (const { manager, path } of conflicts) {
    const paths = byManager.get(manager)
    if (paths === undefined) byManager.set(manager, [`- ${path}`])
    else paths.push(`- ${path}`)
  }
  const lines = [...byManager.keys()]
    .sort()
    .flatMap((manager) => [`conflicts with ${manager}:`, ...(byManager.get(manager) ?? [])])
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}
