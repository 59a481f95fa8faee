import { bodyText, mediaType, parseJsonBody } from '../body.js'
import type { ResourceRequest } from '../context.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import { listStrategiesOf } from '../patch/merge-keys.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import { applyStrategicMerge } from '../patch/strategic-merge.js'
import type { ServedResource } from '../served-resource.js'
import { shapeObject, withKind } from '../shape.js'
import { badRequest, failure, notFound } from '../status.js'
import type { Entry } from '../store/entry.js'
import { checkAddress, findEntry, replaceObject } from './update.js'
import { isDryRun, isStrict } from './write-options.js'

/** Changes the object a request names by the patch in the body. */
export function patch(request: ResourceRequest): Entry {
  const { resource, headers, query } = request
  const dryRun = isDryRun(query.getAll('dryRun'), 'PatchOptions')
  const type = mediaType(headers['content-type'])
  checkType(type, resource)
  const old = findEntry(request)
  if (old === undefined) throw notFound(resource, request.target.name)
  const whole = withKind(old.object, resource)
  const body = patchedBy(type, { target: whole, text: bodyText(request.body), resource })
  const next = shapeObject(body, resource, isStrict(query))
  checkAddress(request, next)
  return replaceObject(request, { old, next, dryRun })
}

function checkType(type: string, resource: ServedResource): void {
  const strategic = type === 'application/strategic-merge-patch+json' && resource.custom === undefined
  if (strategic || type === 'application/json-patch+json' || type === 'application/merge-patch+json') return
  throw failure(415, '415: Unsupported Media Type', { reason: 'UnsupportedMediaType', details: {} })
}

interface Patching {
  readonly target: unknown
  readonly text: string
  readonly resource: ServedResource
}

function patchedBy(type: string, { target, text, resource }: Patching): unknown {
  const body = parseJsonBody(text, (problem) => `error decoding patch: ${problem}`)
  if (type === 'application/json-patch+json') return applyJsonPatch(target, operationsOf(body))
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const found = Array.isArray(body) ? 'array' : typeof body
    const message = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`
    throw badRequest(`error decoding patch: ${message}`)
  }
  if (type === 'application/merge-patch+json') return applyMergePatch(target, body)
  return applyStrategicMerge(target, body, listStrategiesOf(resource))
}

function operationsOf(body: unknown): object[] {
  if (!Array.isArray(body)) {
    const message = 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'
    throw badRequest(`error decoding patch: ${message}`)
  }
  return body.filter((operation): operation is object => typeof operation === 'object' && operation !== null)
}
