import { fieldMismatch, jsonTypeOf } from '../base/json-type.js'
import { recordOf } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import { isTrueParameter, readInteger } from '../request/query.js'
import { badRequest, invalid } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import { type FieldError, invalidValue, unsupported } from '../validation/field-error.js'
import { deleteOptionsBody } from './delete-options-body.js'
import { dryRunErrors } from './write-options.js'

/** The options of a delete; `meta/v1 DeleteOptions`. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly uid?: string
  readonly resourceVersion?: string
  readonly gracePeriodSeconds?: number
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan'
  /** Set if the caller specifies the propagation policy. */
  readonly isPropagationGiven?: true
}

/** The options of a delete as a review of admission shows them. */
export function reviewedOptions(options: DeleteOptions): object {
  const { uid, resourceVersion, gracePeriodSeconds, propagation, isPropagationGiven } = options
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(isPropagationGiven && { propagationPolicy: propagation }),
  }
}

const policies = ['Foreground', 'Background', 'Orphan'] as const
const kind = { group: 'meta.k8s.io', kind: 'DeleteOptions' }

/** Reads the options in the body and the query of a delete. Throws 400, 413, 415 or 422. */
export async function deleteOptionsOf(request: ResourceRequest): Promise<DeleteOptions> {
  const bodyOptions = await deleteOptionsBody(request)
  if (bodyOptions === undefined) return readDeleteOptions(optionsOfQuery(request.query))
  checkTypes(bodyOptions)
  return readDeleteOptions(bodyOptions)
}

/** The options in the query, which count only if the request has no body. */
function optionsOfQuery(query: URLSearchParams): Record<string, unknown> {
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')]
  const grace = query.get('gracePeriodSeconds')
  const orphans = query.get('orphanDependents')
  const policy = query.get('propagationPolicy')
  return {
    dryRun: query.getAll('dryRun'),
    preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
    ...(grace && { gracePeriodSeconds: readInteger(grace) }),
    ...(orphans !== null && { orphanDependents: isTrueParameter(orphans) }),
    ...(policy && { propagationPolicy: policy }),
  }
}

interface FieldType {
  /** Go's name of the type. */
  readonly go: string
  readonly holds: (value: unknown) => boolean
}

const isText = (value: unknown) => typeof value === 'string'

const fieldTypes: Readonly<Record<string, FieldType>> = {
  gracePeriodSeconds: { go: 'int64', holds: (value) => Number.isInteger(value) || typeof value === 'bigint' },
  preconditions: { go: 'v1.Preconditions', holds: (value) => jsonTypeOf(value) === 'object' },
  orphanDependents: { go: 'bool', holds: (value) => typeof value === 'boolean' },
  propagationPolicy: { go: 'v1.DeletionPropagation', holds: isText },
  dryRun: { go: '[]string', holds: (value) => Array.isArray(value) && value.every(isText) },
}

function checkTypes(body: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(body)) {
    const type = ownEntry(fieldTypes, field)
    if (type === undefined || value === null || type.holds(value)) continue
    throw badRequest(fieldMismatch(value, `DeleteOptions.${field}`, type.go))
  }
}

/** Reads `meta/v1 DeleteOptions`. Throws 422. */
export function readDeleteOptions(body: Record<string, unknown>): DeleteOptions {
  const dryRun = Array.isArray(body.dryRun) ? body.dryRun.map(String) : []
  const errors = [...propagationErrors(body), ...dryRunErrors(dryRun)]
  if (errors.length > 0) throw invalid(kind, '', errors)
  const preconditions = recordOf(body.preconditions)
  const grace = body.gracePeriodSeconds ?? undefined
  const propagation = propagationOf(body)
  const isGiven = (body.propagationPolicy ?? body.orphanDependents ?? undefined) !== undefined
  return {
    dryRun: dryRun.length > 0,
    ...(typeof preconditions.uid === 'string' ? { uid: preconditions.uid } : {}),
    ...(typeof preconditions.resourceVersion === 'string'
      ? { resourceVersion: preconditions.resourceVersion }
      : {}),
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(propagation === undefined ? {} : { propagation }),
    ...(isGiven ? { isPropagationGiven: true } : {}),
  }
}

function propagationErrors(body: Record<string, unknown>): FieldError[] {
  const requested = body.propagationPolicy ?? undefined
  if (requested === undefined) return []
  const field = 'propagationPolicy'
  const why = 'orphanDependents and deletionPropagation cannot be both set'
  const isTwice = (body.orphanDependents ?? undefined) !== undefined
  const isKnown = policies.some((policy) => policy === requested)
  return [
    ...(isTwice ? [invalidValue(field, requested, why)] : []),
    ...(isKnown ? [] : [unsupported(field, `"${requested}"`, [...policies, 'nil'])]),
  ]
}

function propagationOf(body: Record<string, unknown>): DeleteOptions['propagation'] {
  const requested = body.propagationPolicy ?? undefined
  if (requested === undefined) return body.orphanDependents === true ? 'Orphan' : undefined
  return policies.find((policy) => policy === requested)
}
