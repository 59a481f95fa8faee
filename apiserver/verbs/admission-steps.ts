import { cloneJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { AdmissionAttributes, AdmissionSteps } from '../admission/admission-attributes.js'
import { admitWrite } from '../admission/admit-write.js'
import { hasAdmission } from '../admission/has-admission.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { once } from '../base/once.js'
import { type ManagedFields, readManagedFields } from '../fields/managed-fields.js'
import { setDefaults } from '../kinds/defaults/defaults.js'
import type { PluginWrite } from '../plugins/plugin.js'
import { checkQuota } from '../plugins/quota/resource-quota.js'
import { mutateByPlugins, validateByPlugins } from '../plugins/run-plugins.js'
import {
  type ServedResource,
  servedEntry,
  servedForm,
  storedForm,
  withKind,
} from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { noReport } from '../validation/field-report.js'
import { type DeleteOptions, reviewedOptions } from './delete-options.js'
import { afterAdmission, dropDuplicateOwners } from './duplicate-owners.js'
import { mergeParts } from './merge-parts.js'
import { readShape } from './shape.js'
import { checkCurrent } from './stale-entry.js'
import { setManagedFields, trackChange, trackCreate } from './track-managers.js'

/** The object of a write after the mutating webhooks. */
interface MutatedObject {
  readonly object: OpenObject
  /** The owners of its fields, if known. Fields that a webhook sets have no owner. */
  readonly managed: ManagedFields | undefined
  /** Set if a webhook changed the object. */
  readonly isChanged?: true
}

interface NewObject extends MutatedObject {
  readonly dryRun: boolean
}

/** Calls the mutating policies and webhooks for a new object. */
export function* mutateNew(
  request: ResourceRequest,
  { object, managed, dryRun }: NewObject,
): AdmissionSteps<MutatedObject> {
  if (!hasAdmission(request.server)) return { object, managed }
  const admitted = yield {
    ...writeOf(request, dryRun),
    phase: 'Mutating',
    operation: 'CREATE',
    name: object.metadata.name ?? '',
    object: once(() => asServed(request, previewOfNew(request, object, managed))),
  }
  return admitted?.object === undefined ? { object, managed } : readMutated(request, admitted.object)
}

/** The object as webhooks get it: with its defaults and managed fields. */
function previewOfNew(
  request: ResourceRequest,
  sentObject: OpenObject,
  managed: ManagedFields | undefined,
): OpenObject {
  const object = withDefaults(request, cloneJson(sentObject))
  if (managed === undefined) trackCreate(request, object)
  else setManagedFields(object, managed)
  mutateByPlugins({ request, operation: 'CREATE', object })
  return object
}

/** A write to an existing object. */
interface ChangedObject {
  readonly old: Entry
  readonly next: OpenObject
  readonly dryRun: boolean
  readonly managed?: ManagedFields
  readonly subresource?: string
}

/** Calls the mutating policies and webhooks for a change. Returns an object that the write may change. */
export function* mutateChange(
  request: ResourceRequest,
  change: ChangedObject,
): AdmissionSteps<MutatedObject> {
  const { old, dryRun, managed } = change
  if (!hasAdmission(request.server)) return { object: change.next, managed }
  // The caller may repeat the write with the same object, so the object is copied here.
  const next = cloneJson(change.next)
  const admitted = yield {
    ...writeOf(request, dryRun),
    phase: 'Mutating',
    operation: 'UPDATE',
    object: once(() => asServed(request, previewOfChange(request, change))),
    oldObject: entryAsServed(request, old),
  }
  if (admitted !== undefined) checkCurrent(request, old)
  if (admitted?.object === undefined) return { object: next, managed }
  return readMutated(request, admitted.object)
}

function previewOfChange(
  request: ResourceRequest,
  { old, next, managed, subresource }: ChangedObject,
): OpenObject {
  const { resource, target } = request
  const object = withDefaults(request, cloneJson(next))
  if (managed !== undefined) {
    setManagedFields(object, managed)
    return object
  }
  const before = old.object as OpenObject
  const merged = mergeParts(object, before, { resource, subresource: target.subresource })
  const tracked = { ...merged, metadata: { ...merged.metadata } }
  const givenManagers = next.metadata.managedFields
  trackChange(request, { before, next: tracked, given: givenManagers, subresource })
  const { managedFields } = tracked.metadata
  if (managedFields === undefined) delete object.metadata.managedFields
  else object.metadata.managedFields = managedFields
  return object
}

/** The final object of a write, in its stored form. */
interface FinalObject {
  readonly operation: 'CREATE' | 'UPDATE'
  readonly object: OpenObject
  readonly old?: Entry
  readonly dryRun: boolean
}

/** Calls the admission plugins, the validating policies and the webhooks for the final object of a write. */
export function* validateFinal(request: ResourceRequest, final: FinalObject): AdmissionSteps<void> {
  const { operation, object, old, dryRun } = final
  const write = pluginWrite(request, final)
  validateByPlugins(write)
  if (hasAdmission(request.server)) {
    const admitted = yield {
      ...writeOf(request, dryRun),
      phase: 'Validating',
      operation,
      ...(operation === 'CREATE' ? { name: object.metadata.name ?? '' } : {}),
      object: once(() => asServed(request, object)),
      ...(old === undefined ? {} : { oldObject: entryAsServed(request, old) }),
    }
    if (admitted !== undefined && old !== undefined) checkCurrent(request, old)
  }
  checkQuota(write)
}

function pluginWrite(request: ResourceRequest, { operation, object, old }: FinalObject): PluginWrite {
  return { request, operation, object, ...(old && { old: old.object as OpenObject }) }
}

/** Calls all webhooks and policies for a delete. */
export function* admitDelete(
  request: ResourceRequest,
  entry: Entry,
  options: DeleteOptions,
): AdmissionSteps<void> {
  if (!hasAdmission(request.server)) return
  const write = { ...writeOf(request, options.dryRun), options: reviewedOptions(options) }
  const oldObject = entryAsServed(request, entry)
  const admitted = yield { ...write, phase: 'Both', operation: 'DELETE', oldObject }
  if (admitted !== undefined) checkCurrent(request, entry)
}

/** A request whose objects are not those of the resource, for example a Scale or an Eviction. */
export interface PartRequest {
  readonly operation: AdmissionAttributes['operation']
  readonly kind: ServedResource
  readonly object: OpenObject
  readonly old?: KubeObject
  readonly dryRun: boolean
}

/** Calls all webhooks and policies for a {@link PartRequest}; returns the object as they changed it. */
export async function admitPart(request: ResourceRequest, partRequest: PartRequest): Promise<OpenObject> {
  return admitWrite(partSteps(request, partRequest))
}

function* partSteps(request: ResourceRequest, partRequest: PartRequest): AdmissionSteps<OpenObject> {
  const { operation, kind, object, old, dryRun } = partRequest
  if (!hasAdmission(request.server)) return object
  const wholeObject = withKind(object, kind)
  const write = {
    ...writeOf(request, dryRun),
    operation,
    kind,
    read: (patched: unknown) => withKind(readShape(patched, kind, noReport, true), kind),
    ...(old === undefined ? {} : { oldObject: () => old }),
  }
  const mutated = yield { ...write, phase: 'Mutating', object: () => wholeObject }
  const reviewed = mutated?.object ?? wholeObject
  yield { ...write, phase: 'Validating', object: () => reviewed }
  return mutated?.object === undefined ? object : withoutKind(reviewed)
}

function writeOf(request: ResourceRequest, dryRun: boolean) {
  const read = (patched: unknown) => readPatched(request, patched)
  return { request, dryRun, read, name: request.target.name }
}

/** The object that a webhook's patch results in, with defaults for the fields that the patch adds. */
function readPatched(request: ResourceRequest, patched: unknown): KubeObject {
  const { resource } = request
  const object = storedForm(readShape(patched, resource, noReport, true), resource)
  return asServed(request, withDefaults(request, object))
}

function withDefaults({ server, resource }: ResourceRequest, object: OpenObject): OpenObject {
  setDefaults(object, resource)
  resource.rules.setDefaults?.(object, server)
  return object
}

function readMutated(request: ResourceRequest, mutated: KubeObject): MutatedObject {
  const object = storedForm(withoutKind(mutated), request.resource)
  dropDuplicateOwners(object.metadata, request.warnings, afterAdmission)
  const managed = readManagedFields(object.metadata.managedFields) ?? new Map()
  return { object, managed, isChanged: true }
}

function withoutKind(object: KubeObject): OpenObject {
  const { kind: _kind, apiVersion: _version, ...bare } = recordOf(object)
  return { ...bare, metadata: { ...object.metadata } }
}

const asServed = ({ resource }: ResourceRequest, object: OpenObject) =>
  withKind(servedForm(object, resource), resource)

const entryAsServed = ({ resource }: ResourceRequest, entry: Entry) =>
  once(() => withKind(servedEntry(entry, resource).object, resource))
