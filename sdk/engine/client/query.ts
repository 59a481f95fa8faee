/** The queries of the client's requests. */
import type { WriteOptions } from './client.js'

type QueryValue = string | number | boolean | undefined

/** `?a=1&b=2` of the values that are set, `''` if none is. */
export function formatQuery(values: Record<string, QueryValue>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  if (set.length === 0) return ''
  const text = set.map(([name, value]): [string, string] => [name, String(value)])
  return `?${new URLSearchParams(text)}`
}

/** The query of a create, update or patch. */
export function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions, force?: boolean): string {
  // Most writes have no query.
  if (!dryRun && !fieldManager && !fieldValidation && !force) return ''
  return formatQuery({
    dryRun: dryRun ? 'All' : undefined,
    fieldManager,
    fieldValidation,
    force: force || undefined,
  })
}
