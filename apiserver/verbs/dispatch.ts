import { once } from '../base/once.js'
import { type AcceptedFormat, negotiate } from '../output/accept.js'
import { ResourceWriter, statusResponse } from '../output/writer.js'
import type { ApiResponse } from '../request/request.js'
import { badRequest, methodNotAllowed, noSuchResource, notFound } from '../request/status.js'
import type { Verb } from '../request/verb.js'
import { servedEntry } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import { bind } from './bind.js'
import { checkName } from './check-name.js'
import { componentStatus, componentStatuses } from './component-statuses.js'
import { connectPod, isConnection } from './connect-pod.js'
import { create } from './create.js'
import { removeCollection } from './delete.js'
import { deleteResponse } from './delete-response.js'
import { evict } from './evict.js'
import { get } from './get.js'
import { list } from './list.js'
import { scales } from './part-kinds.js'
import { checkPatchType, patch } from './patch.js'
import { isReview, review } from './review.js'
import { readScale, scaleOf, writeScale } from './scale.js'
import { requestToken } from './token-request.js'
import { namespaceRequired, update } from './update.js'
import { watch } from './watch.js'

/** A resource, and what a path names of it. */
type Requested = Pick<ResourceRequest, 'resource' | 'target'>

/** Whether a path is valid for its resource. For a custom resource, only reads may leave out the namespace. */
export function isServedPath({ resource, target }: Requested, method: string): boolean {
  const { namespaced, verbs, custom, subresources } = resource
  const inNamespace = target.namespace !== '' || isBlank({ resource, target })
  // Only reads of a collection may be of all namespaces.
  const isOfAll = target.name === '' && !inNamespace && (method === 'GET' || method === 'HEAD')
  const mustMatch = target.name !== '' || (custom !== undefined && !isOfAll)
  if (mustMatch && inNamespace !== namespaced) return false
  const isObject = target.name !== '' && target.subresource === ''
  if (isObject && !verbs.some((verb) => objectVerbs.has(verb))) return false
  if (target.subresource === '' || custom !== undefined) return true
  return subresources.some(({ name }) => name === target.subresource)
}

/**
 * Whether a namespaced built-in resource is requested in an empty namespace, which the router of a real
 * server allows.
 */
function isBlank({ resource, target }: Requested): boolean {
  return target.isBlankNamespace === true && resource.custom === undefined && resource.namespaced
}

const objectVerbs = new Set(['get', 'update', 'patch', 'delete'])

/** Serves one request for a resource. Throws an ApiError for every error. */
export function dispatch(request: ResourceRequest, verb: Verb): Promise<ApiResponse> | ApiResponse {
  const { resource } = request
  // The router of built-in resources checks path and method before the Accept header.
  if (resource.custom === undefined) checkRoute(request, verb)
  const accepted = negotiate(request.headers.accept, {
    streams: verb === 'list' || verb === 'watch',
    isCustom: request.resource.custom !== undefined,
    hasTables: !isReview(request) && !isTableless(request),
  })
  if (resource.custom !== undefined) checkRoute(request, verb)
  if (verb === 'get' || verb === 'delete') checkName(request)
  if (resource.rules.deprecation !== undefined) request.warnings.push(resource.rules.deprecation)
  if (accepted.as === 'Table') return dispatchTable(request, verb, accepted)
  return dispatchVerb(request, verb, new ResourceWriter(request, accepted))
}

/** Loads the columns of all kinds with the first request for a table. */
const loadTables = once(() => import('../output/table.js'))

async function dispatchTable(
  request: ResourceRequest,
  verb: Verb,
  accepted: AcceptedFormat,
): Promise<ApiResponse> {
  const { tableOf } = await loadTables()
  return dispatchVerb(request, verb, new ResourceWriter(request, accepted, tableOf))
}

function dispatchVerb(
  request: ResourceRequest,
  verb: Verb,
  writer: ResourceWriter,
): Promise<ApiResponse> | ApiResponse {
  if (request.target.subresource !== '') return dispatchPart(request, verb, writer)
  const unstored = unstoredVerbs[request.resource.storage]
  if (unstored !== undefined) return unstored(request, writer)
  switch (verb) {
    case 'get':
      return writer.entry(200, get(request))
    case 'list':
      return writer.page(list(request))
    case 'watch':
      return watchResponse(request, writer)
    case 'create':
      return createResponse(request, writer)
    case 'update':
      return updateResponse(request, writer)
    case 'patch':
      return patchResponse(request, writer)
    case 'delete':
      return deleteResponse(request, writer)
    case 'deletecollection':
      return deleteCollectionResponse(request, writer)
  }
}

/** Some statuses of a real server have no tables. */
function isTableless({ resource, target }: ResourceRequest): boolean {
  return target.subresource === 'status' && tableless.has(resource.storage)
}

const tableless = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'resourceclaims.resource.k8s.io',
])

/** Throws 404 or 405 if the resource does not support the path or the method. */
function checkRoute(request: ResourceRequest, verb: Verb): void {
  checkScope(request, verb)
  const { resource, target } = request
  if (target.subresource === '') {
    if (!resource.verbs.includes(verb)) throw methodNotAllowed()
    if (verb === 'patch') checkPatchType(request)
    return
  }
  const subresource = partOf(request)
  if (subresource === undefined) {
    throw resource.custom === undefined ? noSuchResource() : notFound(resource, target.name)
  }
  if (!subresource.verbs.includes(verb)) throw methodNotAllowed()
  if (verb === 'patch' && !isConnection(subresource.name)) checkPatchType(request)
}

function partOf({ resource, target }: ResourceRequest) {
  return resource.subresources.find(({ name }) => name === target.subresource)
}

/**
 * An object of a namespaced resource is only found in its namespace, and others only outside of namespaces.
 */
function checkScope({ resource, target }: ResourceRequest, verb: Verb): void {
  const inNamespace = target.namespace !== ''
  if (!resource.namespaced) {
    if (inNamespace) throw noSuchResource()
    if (isCreateByName(verb, { resource, target })) throw methodNotAllowed()
    return
  }
  if (isBlank({ resource, target })) {
    checkBlank({ resource, target }, verb)
    return
  }
  if (!inNamespace && target.name !== '') throw noSuchResource()
  if (!inNamespace && verb !== 'list' && verb !== 'watch') throw methodNotAllowed()
  if (isCreateByName(verb, { resource, target })) throw methodNotAllowed()
}

/** An empty namespace means lists of all namespaces; for these writes the verb reports the error. */
function checkBlank(requested: Requested, verb: Verb): void {
  if (isCreateByName(verb, requested)) throw methodNotAllowed()
  if (!withoutNamespace.has(verb)) throw badRequest(namespaceRequired)
}

const withoutNamespace = new Set<Verb>(['list', 'watch', 'create', 'update', 'deletecollection'])

/** A POST to the path of an object; for custom resources it is a create. */
function isCreateByName(verb: Verb, { resource, target }: Requested): boolean {
  return verb === 'create' && target.name !== '' && target.subresource === '' && resource.custom === undefined
}

function dispatchPart(
  request: ResourceRequest,
  verb: Verb,
  writer: ResourceWriter,
): Promise<ApiResponse> | ApiResponse {
  const { subresource } = request.target
  if (subresource === 'binding') return emptyAnswer(bind(request))
  if (subresource === 'eviction') return emptyAnswer(evict(request))
  if (subresource === 'token') return tokenResponse(request, writer)
  if (isConnection(subresource)) return connectPod(request, subresource)
  if (subresource === 'scale') return scaleResponse(request, verb, writer)
  if (verb === 'get') return writer.entry(200, get(request))
  return verb === 'patch' ? patchResponse(request, writer) : updateResponse(request, writer)
}

/** Resources whose objects are not in the store. */
const unstoredVerbs: Readonly<
  Record<string, (request: ResourceRequest, writer: ResourceWriter) => Promise<ApiResponse>>
> = {
  bindings: (request) => emptyAnswer(bind(request)),
  componentstatuses: (request, writer) =>
    request.target.name === ''
      ? writer.page({ entries: componentStatuses(), metadata: { resourceVersion: '' } })
      : writer.entry(200, componentStatus(request)),
}

/** The response of an action without an object. */
async function emptyAnswer(action: Promise<void>): Promise<ApiResponse> {
  await action
  return statusResponse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}

async function tokenResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  return writer.value(201, await requestToken(request))
}

async function scaleResponse(
  request: ResourceRequest,
  verb: Verb,
  writer: ResourceWriter,
): Promise<ApiResponse> {
  const { resource } = request
  if (verb === 'get')
    return writer.generatedObject(200, readScale(servedEntry(get(request), resource), resource), scales)
  const written = await writeScale(request, verb === 'patch' ? 'patch' : 'update')
  return writer.generatedObject(200, scaleOf(written, resource), scales)
}

async function createResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  if (isReview(request)) return writer.generatedObject(201, await review(request), request.resource)
  return writer.entry(201, await create(request))
}

async function updateResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  const { entry, created } = await update(request)
  return writer.entry(created ? 201 : 200, entry)
}

async function patchResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  const { entry, created } = await patch(request)
  return writer.entry(created ? 201 : 200, entry)
}

async function deleteCollectionResponse(
  request: ResourceRequest,
  writer: ResourceWriter,
): Promise<ApiResponse> {
  return writer.page(await removeCollection(request))
}

function watchResponse(request: ResourceRequest, writer: ResourceWriter): ApiResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }
  return { status: 200, headers, body: watch(request, writer) }
}
