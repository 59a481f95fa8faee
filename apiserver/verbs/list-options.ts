import { isTrueParameter, readInteger } from '../request/query.js'
import { badRequest, failure, invalid } from '../request/status.js'
import { type FieldError, forbiddenValue, unsupported } from '../validation/field-error.js'

/** The query parameters of a list or watch; https://kubernetes.io/docs/reference/using-api/api-concepts/ */
export interface ListOptions {
  /** `''` if not given. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan'
  /** The maximum number of objects on a page; 0 for all. */
  readonly limit: number
  readonly continueToken: string
  readonly sendInitialEvents: boolean | undefined
  readonly allowWatchBookmarks: boolean
  /** 0 if not given. */
  readonly timeoutSeconds: number
}

/** The kind of request that has the options: lists and watches allow different options. */
export type ListPurpose = 'list' | 'watch'

const kind = { group: 'meta.k8s.io', kind: 'ListOptions' }

/** Parsed but unchecked options of a query. */
export interface GivenListOptions extends Omit<ListOptions, 'resourceVersionMatch'> {
  readonly match: string
}

/** Reads the options. Throws 400. */
export function parseListOptions(query: URLSearchParams): GivenListOptions {
  const initial = query.get('sendInitialEvents')
  const timeoutSeconds = readInteger(query.get('timeoutSeconds'))
  return {
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    limit: Math.max(0, readInteger(query.get('limit'))),
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: initial === null ? undefined : isTrueParameter(initial),
    allowWatchBookmarks: isTrueParameter(query.get('allowWatchBookmarks')),
    timeoutSeconds,
  }
}

/** Checks the options, except the format of the resourceVersion. Throws 422. */
export function checkedListOptions(options: GivenListOptions, purpose: ListPurpose): ListOptions {
  const errors = purpose === 'list' ? checkList(options) : checkWatch(options)
  if (errors.length > 0) throw invalid(kind, '', errors)
  const { match, ...rest } = options
  return { ...rest, resourceVersionMatch: match === 'Exact' || match === 'NotOlderThan' ? match : '' }
}

/** Throws for a resourceVersion that is not a number; a list has another error text than other requests. */
export function checkRevision(revision: string, purpose: ListPurpose | 'get'): void {
  if (/^\d*$/.test(revision)) return
  const problem = `resourceVersion: Invalid value: "${revision}": strconv.ParseUint: parsing "${revision}": invalid syntax`
  throw purpose === 'list' ? badRequest(`invalid resource version: ${problem}`) : failure(500, problem)
}

function checkList({
  resourceVersion,
  match,
  continueToken,
  sendInitialEvents,
}: GivenListOptions): FieldError[] {
  const errors: FieldError[] = []
  const field = 'resourceVersionMatch'
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(
        forbiddenValue(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      )
    }
    if (continueToken !== '') {
      errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'))
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupported(field, `"${match}"`, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbiddenValue(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  return errors
}

function checkWatch({ match, continueToken, sendInitialEvents }: GivenListOptions): FieldError[] {
  const errors: FieldError[] = []
  const field = 'resourceVersionMatch'
  if (continueToken !== '') {
    errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'))
  }
  if (match !== '' && sendInitialEvents === undefined) {
    const why = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'
    errors.push(forbiddenValue(field, why))
  }
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    const why = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    errors.push(forbiddenValue(field, why))
  }
  if (match !== '' && match !== 'NotOlderThan') {
    errors.push(unsupported(field, `"${match}"`, ['NotOlderThan']))
  }
  return errors
}
