import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { parseApiVersion } from '../base/api-version.js'
import { formatTime } from '../base/clock.js'
import { withoutMembers } from '../base/members.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { ConvertedStore } from '../conversion/converted-store.js'
import { type Comparison, compare } from '../fields/compare.js'
import { fieldSetOf } from '../fields/field-set.js'
import { KeylessElement } from '../fields/list-elements.js'
import {
  isReset,
  type ManagedFields,
  type Manager,
  readManagedFields,
  writeManagedFields,
} from '../fields/managed-fields.js'
import type { ChangeIn } from '../fields/ownership.js'
import { trackUpdate } from '../fields/track-update.js'
import { trackedType } from '../fields/tracked-type.js'
import { zeroObject } from '../fields/zero-object.js'
import { hasStatus, type ServedResource, servedForm } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import { maxManagerBytes } from './write-options.js'

/** The subresource that a write changes, if it is not the one in its URL. */
export interface WrittenPart {
  readonly subresource?: string | undefined
}

/** The field manager of a request: the query parameter, or the first word of its user agent. */
export function managerOf(
  { query, headers, resource, target }: ResourceRequest,
  operation: Manager['operation'],
  { subresource = target.subresource }: WrittenPart = {},
): Manager {
  const manager = query.get('fieldManager') || prefixOf(headers['user-agent'] ?? '') || 'unknown'
  return { manager, operation, apiVersion: apiVersionOf(resource), subresource }
}

function prefixOf(userAgent: string): string {
  let prefix = ''
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (/\p{C}/u.test(character)) continue
    if (Buffer.byteLength(prefix + character) > maxManagerBytes) break
    prefix += character
  }
  return prefix
}

const noManagers: ManagedFields = new Map()

/** Sets the managed fields of a new object. */
export function trackCreate(request: ResourceRequest, object: OpenObject): void {
  const givenManagers = readManagedFields(object.metadata.managedFields) ?? noManagers
  const live = zeroObject(request.resource)
  // A create writes no status; fields that are filled in there have no owner.
  const { status: zero } = live as { status?: unknown }
  const isReset = hasStatus(request.resource) && request.resource.conversion === undefined
  track(request, { live, next: isReset ? { ...object, status: zero } : object, managed: givenManagers })
}

/** A change of an existing object. */
export interface Change extends WrittenPart {
  readonly before: OpenObject
  readonly next: OpenObject
  /** The managed fields in the client's request. */
  readonly given: unknown
}

/** Sets the managed fields of a changed object. */
export function trackChange(request: ResourceRequest, { before, next, given, subresource }: Change): void {
  const { managedFields } = before.metadata
  const managed = managedBefore(request, { given, managedFields })
  if (managed.size === 0) {
    // An object whose ownership was cleared has no owners until it is applied.
    delete next.metadata.managedFields
    return
  }
  const live = servedForm(before, request.resource)
  const changeIn = changesIn(request, before, next)
  track(request, { live, next, managed, changeIn, ...(subresource === undefined ? {} : { subresource }) })
}

/** Clients may edit the entries, but not through a subresource, and not by omitting them. */
function managedBefore(
  { target }: ResourceRequest,
  { given, managedFields }: { given: unknown; managedFields: unknown },
): ManagedFields {
  const live = () => readManagedFields(managedFields) ?? noManagers
  if (target.subresource !== '' || given === managedFields) return live()
  if (isReset(given)) return noManagers
  const read = readManagedFields(given)
  return read === undefined || read.size === 0 ? live() : read
}

interface TrackedWrite extends WrittenPart {
  /** In the version of the request. */
  readonly live: object
  /** In the stored version. */
  readonly next: OpenObject
  readonly managed: ManagedFields
  readonly changeIn?: ChangeIn
}

/** The change in the other versions of a resource, whose fields may differ. */
function changesIn({ server, resource }: ResourceRequest, before: OpenObject, next: OpenObject): ChangeIn {
  return (apiVersion) => {
    if (apiVersion === apiVersionOf(resource)) return undefined
    const { group, version } = parseApiVersion(apiVersion)
    const otherResource = server.registry.find(group, version, resource.plural)
    const converter = otherResource?.custom?.converter
    if (otherResource !== undefined && converter !== undefined) {
      // The server itself changes objects as they are stored, and only their metadata.
      if (!(server.store instanceof ConvertedStore)) return undefined
      const versions = { from: resource.version, to: version }
      const [was, is] = [before, next].map((object) => converter.formIn(object, versions))
      return compare(was, is, trackedType(otherResource))
    }
    if (otherResource === undefined || (otherResource.conversion ?? resource.conversion) === undefined)
      return undefined
    return compare(
      servedForm(before, otherResource),
      servedForm(next, otherResource),
      trackedType(otherResource),
    )
  }
}

/** The change by an apply in another version of a custom resource. */
export function changeOfApply(
  request: ResourceRequest,
  { live, object, apiVersion }: { live: unknown; object: unknown; apiVersion: string },
): Comparison | undefined {
  if (request.resource.custom === undefined) return undefined
  const [before, next] = [live, object].map((each) => withoutMembers(recordOf(each), ['kind', 'apiVersion']))
  return changesIn(request, before as unknown as OpenObject, next as unknown as OpenObject)(apiVersion)
}

/**
 * Managers that wrote through another group are dropped, because the real server does not convert between
 * groups here.
 */
function knownOwners(managed: ManagedFields, { group, conversion, storage }: ServedResource): ManagedFields {
  if (conversion === undefined && storage !== 'events') return managed
  const isKnown = ({ apiVersion }: Manager) => parseApiVersion(apiVersion).group === group
  return new Map([...managed].filter(([, entry]) => isKnown(entry)))
}

function track(request: ResourceRequest, tracking: TrackedWrite): void {
  try {
    setManagedFields(tracking.next, ownersAfter(request, tracking))
  } catch (error) {
    if (!(error instanceof KeylessElement)) throw error
    // An object that cannot be merged has no owners; validation decides whether it is allowed.
    delete tracking.next.metadata.managedFields
  }
}

function ownersAfter(request: ResourceRequest, tracking: TrackedWrite): ManagedFields {
  const { live, next, managed, changeIn, subresource } = tracking
  const ignores = request.resource.rules.parts?.resetFields?.[request.target.subresource]
  return trackUpdate({
    type: trackedType(request.resource),
    live,
    next: servedForm(next, request.resource),
    managed: knownOwners(managed, request.resource),
    manager: managerOf(request, 'Update', { subresource }),
    ...(changeIn === undefined ? {} : { changeIn }),
    ...(ignores === undefined ? {} : { ignored: fieldSetOf(ignores) }),
    // A write through a Scale is tracked on the Scale, whose times are not recorded.
    now: subresource === 'scale' ? undefined : formatTime(request.server.clock.date()),
  })
}

/** Writes the managed fields to an object's metadata. */
export function setManagedFields({ metadata }: OpenObject, managed: ManagedFields): void {
  const written = writeManagedFields(managed)
  if (written === undefined) delete metadata.managedFields
  else metadata.managedFields = written
}
