import { isTrueParameter, readInteger } from '../request/query.js'
import { badRequest, invalid } from '../request/status.js'
import { parseGoTime } from '../schema/go-time.js'
import type { ResourceRequest } from '../server/context.js'
import { type FieldError, forbiddenValue, invalidValue } from '../validation/field-error.js'

const kind = { group: '', kind: 'PodLogOptions' }
const flags = ['follow', 'previous', 'timestamps'] as const
const numberOptions = ['limitBytes', 'sinceSeconds', 'tailLines'] as const

/** Checks the options of a log request, and returns the query for the kubelet. Throws 400 or 422. */
export function checkLogOptions({ query, target }: ResourceRequest): string {
  const since = sinceTime(query)
  const numbers = Object.fromEntries(numberOptions.map((name) => [name, numberIn(query, name)]))
  const errors = logErrors(query, { ...numbers, since })
  if (errors.length > 0) throw invalid(kind, target.name, errors)
  const forwarded = new URLSearchParams()
  for (const name of flags) if (isTrueParameter(query.get(name))) forwarded.set(name, 'true')
  for (const name of numberOptions)
    if (numbers[name] !== undefined) forwarded.set(name, String(numbers[name]))
  if (since !== undefined) forwarded.set('sinceTime', since)
  forwarded.sort()
  return forwarded.size === 0 ? '' : `?${forwarded}`
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === '') throw badRequest('strconv.ParseInt: parsing "": invalid syntax')
  return text === null ? undefined : readInteger(text)
}

function sinceTime(query: URLSearchParams): string | undefined {
  const text = query.get('sinceTime')
  if (text === null || text === '') return undefined
  const read = parseGoTime(text, false)
  if ('problem' in read) throw badRequest(read.problem)
  return read.text
}

interface LogOptions {
  readonly tailLines?: number | undefined
  readonly limitBytes?: number | undefined
  readonly sinceSeconds?: number | undefined
  readonly since: string | undefined
}

function logErrors(
  query: URLSearchParams,
  { tailLines, limitBytes, sinceSeconds, since }: LogOptions,
): FieldError[] {
  const both = 'at most one of `sinceTime` or `sinceSeconds` may be specified'
  const isBoth = sinceSeconds !== undefined && since !== undefined
  const positive = 'must be greater than 0'
  return [
    ...(tailLines !== undefined && tailLines < 0
      ? [invalidValue('tailLines', tailLines, 'must be greater than or equal to 0')]
      : []),
    ...(limitBytes !== undefined && limitBytes < 1 ? [invalidValue('limitBytes', limitBytes, positive)] : []),
    ...(isBoth ? [forbiddenValue('[]', both)] : []),
    ...(!isBoth && sinceSeconds !== undefined && sinceSeconds < 1
      ? [invalidValue('sinceSeconds', sinceSeconds, positive)]
      : []),
    ...(query.has('stream') ? [forbiddenValue('stream', 'may not be specified')] : []),
  ]
}
