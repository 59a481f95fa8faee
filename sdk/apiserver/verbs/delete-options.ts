import { bodyText, mediaType, parseJsonBody, TYPE_META } from '../body.js'
import type { ResourceRequest } from '../context.js'
import { recordOf } from '../kinds/kind-rules.js'
import { badRequest, failure, invalid } from '../status.js'
import { invalidValue, unsupported } from '../validation/field-error.js'
import { isOn, readInteger } from './list-options.js'
import { isDryRun } from './write-options.js'

/** What a caller asks of a delete; `meta/v1 DeleteOptions`. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly uid?: string
  readonly resourceVersion?: string
  readonly gracePeriodSeconds?: number
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan'
}

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const
const KIND = { group: 'meta.k8s.io', kind: 'DeleteOptions' }

/** Reads the options in the body and the query of a delete. Throws 400, 415 or 422. */
export function deleteOptionsOf({ body, headers, query }: ResourceRequest): DeleteOptions {
  const text = bodyText(body)
  const type = mediaType(headers['content-type'])
  if (text !== '' && type !== '' && type !== 'application/json') throw unknownMediaType()
  const problem = (reason: string) => `couldn't get version/kind; json parse error: ${reason}`
  const given = text === '' ? {} : optionsIn(parseJsonBody(text, problem), problem)
  const { kind = 'DeleteOptions', apiVersion = 'v1' } = given
  if (kind !== 'DeleteOptions') {
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"'
    throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}" ${scheme}`)
  }
  checkTypes(given)
  return readDeleteOptions(text === '' ? optionsOfQuery(query) : given)
}

/** A delete without a body has its options in the query; a body leaves none of them there. */
function optionsOfQuery(query: URLSearchParams): Record<string, unknown> {
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')]
  const grace = query.get('gracePeriodSeconds')
  const orphans = query.get('orphanDependents')
  const policy = query.get('propagationPolicy')
  return {
    dryRun: query.getAll('dryRun'),
    preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
    ...(grace && { gracePeriodSeconds: readInteger(grace) }),
    ...(orphans !== null && { orphanDependents: isOn(orphans) }),
    ...(policy && { propagationPolicy: policy }),
  }
}

/** Kind and version are looked for in an object. */
function optionsIn(body: unknown, problem: (reason: string) => string): Record<string, unknown> {
  if (body === null) return {}
  if (typeof body === 'object' && !Array.isArray(body)) return recordOf(body)
  throw badRequest(problem(`json: cannot unmarshal ${formOf(body)} into Go value of type ${TYPE_META}`))
}

interface FieldType {
  /** What Go calls it. */
  readonly go: string
  readonly holds: (value: unknown) => boolean
}

const isText = (value: unknown) => typeof value === 'string'

const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  gracePeriodSeconds: { go: 'int64', holds: (value) => Number.isInteger(value) || typeof value === 'bigint' },
  preconditions: { go: 'v1.Preconditions', holds: (value) => formOf(value) === 'object' },
  orphanDependents: { go: 'bool', holds: (value) => typeof value === 'boolean' },
  propagationPolicy: { go: 'v1.DeletionPropagation', holds: isText },
  dryRun: { go: '[]string', holds: (value) => Array.isArray(value) && value.every(isText) },
}

function checkTypes(given: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(given)) {
    const type = FIELD_TYPES[field]
    if (type === undefined || value === null || type.holds(value)) continue
    const form = typeof value === 'number' && type.go === 'int64' ? `number ${value}` : formOf(value)
    throw badRequest(
      `json: cannot unmarshal ${form} into Go struct field DeleteOptions.${field} of type ${type.go}`,
    )
  }
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Reads `meta/v1 DeleteOptions`. Throws 422. */
export function readDeleteOptions(given: Record<string, unknown>): DeleteOptions {
  const dryRun = Array.isArray(given.dryRun) ? given.dryRun.map(String) : []
  const preconditions = recordOf(given.preconditions)
  const grace = given.gracePeriodSeconds ?? undefined
  const propagation = readPropagation(given)
  return {
    dryRun: isDryRun(dryRun, 'DeleteOptions'),
    ...(typeof preconditions.uid === 'string' ? { uid: preconditions.uid } : {}),
    ...(typeof preconditions.resourceVersion === 'string'
      ? { resourceVersion: preconditions.resourceVersion }
      : {}),
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(propagation === undefined ? {} : { propagation }),
  }
}

function unknownMediaType() {
  return failure(415, 'the body of the request was in an unknown format', { reason: 'UnsupportedMediaType' })
}

function readPropagation(given: Record<string, unknown>): DeleteOptions['propagation'] {
  const asked = given.propagationPolicy ?? undefined
  if (asked !== undefined && given.orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set'
    throw invalid(KIND, '', [invalidValue('propagationPolicy', asked, why)])
  }
  if (asked === undefined) return given.orphanDependents === true ? 'Orphan' : undefined
  const policy = POLICIES.find((known) => known === asked)
  if (policy !== undefined) return policy
  throw invalid(KIND, '', [unsupported('propagationPolicy', `"${asked}"`, [...POLICIES, 'nil'])])
}
