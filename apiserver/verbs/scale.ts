import type { KubeObject, ObjectMeta } from '../../sdk/engine/kube/object.js'
import { storeAdmitted } from '../admission/admit-write.js'
import { internalError } from '../admission/internal-error.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { namesOfPath } from '../custom/scale-paths.js'
import { applyFields } from '../fields/apply-fields.js'
import { applyConflictError } from '../fields/conflicts.js'
import { FieldSet } from '../fields/field-set.js'
import { type ManagedFields, readManagedFields } from '../fields/managed-fields.js'
import { resourceType } from '../fields/resource-type.js'
import { trackedType } from '../fields/tracked-type.js'
import { selectorText } from '../output/selector-text.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import { bodyText, mediaType, parseObjectBody } from '../request/body.js'
import { isTrueParameter } from '../request/query.js'
import { invalid, notFound } from '../request/status.js'
import type { ScalePaths } from '../resources/served-resource.js'
import { type ServedResource, servedEntry, withKind } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { validateFinalizerNames, validateMetadata } from '../validation/metadata.js'
import { checkSubdomainName } from '../validation/names.js'
import { checkNotNegative } from '../validation/values.js'
import { admitPart } from './admission-steps.js'
import { checkApplied } from './apply.js'
import { parseManifest } from './manifest.js'
import { scales } from './part-kinds.js'
import { checkType, patchedObject } from './patch.js'
import { reportOf } from './report.js'
import { shapeObject } from './shape.js'
import { checkCurrent, whileStale } from './stale-entry.js'
import { managerOf } from './track-managers.js'
import { checkAddress, findEntry, replaceSteps } from './update.js'
import { isDryRun, writeOptions } from './write-options.js'

/** The paths of `/scale` for built-in kinds. */
const builtIn: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

/** The `autoscaling/v1 Scale` of an object. */
export function scaleOf({ object }: Entry, { custom }: Pick<ServedResource, 'custom'>): KubeObject {
  const { specReplicasPath, statusReplicasPath } = custom?.scale ?? builtIn
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = custom === undefined ? formatSelector(object) : customSelector(object, custom.scale)
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp } as ObjectMeta
  const scale = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata,
    spec: replicasAt(object, specReplicasPath),
    status: {
      replicas: Number(fieldAt(object, ...namesOfPath(statusReplicasPath)) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  }
  return scale
}

function replicasAt(object: KubeObject, path: string): object {
  const replicas = Number(fieldAt(object, ...namesOfPath(path)) ?? 0)
  // Go omits a zero in the Scale's spec.
  return replicas === 0 ? {} : { replicas }
}

/** The Scale of a custom resource for a reader. Throws 500 if the object has no number of replicas. */
export function readScale(entry: Entry, resource: ServedResource): KubeObject {
  const path = resource.custom?.scale?.specReplicasPath
  if (path === undefined || fieldAt(entry.object, ...namesOfPath(path)) !== undefined)
    return scaleOf(entry, resource)
  throw internalError(`the spec replicas field ${JSON.stringify(path)} does not exist`)
}

/** A ReplicationController's selector has only labels. */
function formatSelector(object: KubeObject): string {
  const selector = recordOf(fieldAt(object, 'spec', 'selector'))
  const isPlain = Object.values(selector).every((value) => typeof value === 'string')
  return selectorText(isPlain ? { matchLabels: selector } : selector)
}

function customSelector(object: KubeObject, scale: ScalePaths | undefined): string {
  const path = scale?.labelSelectorPath ?? ''
  return path === '' ? '' : textAt(object, ...namesOfPath(path))
}

/** Writes the number of replicas in the Scale of the body, by PUT or patch. */
export async function writeScale(request: ResourceRequest, verb: 'update' | 'patch'): Promise<Entry> {
  checkOptions(request, verb)
  const requestedScaleObject = verb === 'update' ? await requestedScale(request) : undefined
  return whileStale(() => write(request, requestedScaleObject))
}

async function write(request: ResourceRequest, requestedScaleObject: OpenObject | undefined): Promise<Entry> {
  const stored = findEntry(request)
  if (stored === undefined) throw notFound(request.resource, request.target.name)
  const old = servedEntry(stored, request.resource)
  const desired = requestedScaleObject ?? (await patchedScale(request, old))
  checkAddress(request, desired)
  const dryRun = isDryRun(request.query.getAll('dryRun'), 'UpdateOptions')
  const before = scaleOf(old, request.resource)
  const scaleRequest = { operation: 'UPDATE', kind: scales, object: desired, old: before, dryRun } as const
  const requested: OpenObject = await admitPart(request, scaleRequest)
  checkCurrent(request, stored)
  const replicas = replicasOf(requested)
  const { uid = old.object.metadata.uid, resourceVersion = old.object.metadata.resourceVersion } =
    requested.metadata
  const { specReplicasPath } = request.resource.custom?.scale ?? builtIn
  const next = withFieldAt(old.object, namesOfPath(specReplicasPath), replicas) as OpenObject
  next.metadata = { ...next.metadata, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  const wholeRequest = { ...request, target: { ...request.target, subresource: '' } }
  const applied = isApply(request) ? { managed: applyReplicas(request, old, replicas) } : {}
  return storeAdmitted(
    replaceSteps(wholeRequest, { old: stored, next, dryRun, subresource: 'scale', ...applied }),
  )
}

const isApply = ({ headers }: ResourceRequest) =>
  mediaType(headers['content-type']) === 'application/apply-patch+yaml'

/** The managed fields after an apply of a Scale. Throws 409 if another manager owns a different number. */
function applyReplicas(request: ResourceRequest, { object }: Entry, replicas: number): ManagedFields {
  const { resource, query } = request
  const { specReplicasPath } = resource.custom?.scale ?? builtIn
  const applied = applyFields({
    type: trackedType(resource),
    whole: resourceType(resource),
    live: withKind(object, resource),
    desired: withFieldAt({}, namesOfPath(specReplicasPath), replicas),
    managed: readManagedFields(object.metadata.managedFields) ?? new Map(),
    manager: managerOf(request, 'Apply', { subresource: 'scale' }),
    now: undefined,
    ignored: new FieldSet(),
  })
  if (applied.overlaps.length > 0 && !isTrueParameter(query.get('force')))
    throw applyConflictError(applied.overlaps)
  return applied.managed
}

/** Options are checked before the object. */
function checkOptions(request: ResourceRequest, verb: 'update' | 'patch'): void {
  const { query, headers, resource } = request
  if (verb === 'patch' && !isApply(request)) checkType(mediaType(headers['content-type']), resource)
  writeOptions(query, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions', isApply(request))
}

function replicasOf(scale: OpenObject): number {
  const replicas = Number(fieldAt(scale, 'spec', 'replicas') ?? 0)
  const errors = [
    ...validateMetadata(scale, checkSubdomainName),
    ...validateFinalizerNames(scale),
    ...checkNotNegative('spec.replicas', replicas),
  ]
  if (errors.length > 0) throw invalid(scales, scale.metadata.name ?? '', errors)
  return replicas
}

/** A copy of the object with one field set; missing parents are created. */
function withFieldAt(object: unknown, [name, ...rest]: readonly string[], value: unknown): object {
  if (name === undefined) return recordOf(object)
  const members = recordOf(object)
  return { ...members, [name]: rest.length === 0 ? value : withFieldAt(members[name], rest, value) }
}

/** The Scale in a body is parsed before the scaled object is looked up. */
async function requestedScale(request: ResourceRequest): Promise<OpenObject> {
  const { fieldValidation } = writeOptions(request.query, 'UpdateOptions', true)
  const body = await parseObjectBody(request, 'Scale')
  return shapeObject(body, scales, reportOf(request, fieldValidation))
}

async function patchedScale(request: ResourceRequest, old: Entry): Promise<OpenObject> {
  const { fieldValidation } = writeOptions(request.query, 'UpdateOptions', true)
  const report = reportOf(request, fieldValidation)
  const scaleObject = scaleOf(old, request.resource)
  if (!isApply(request)) {
    return patchedObject(request, { whole: scaleObject, resource: scales, fieldValidation })
  }
  const { value } = await parseManifest(bodyText(request.body))
  checkApplied(recordOf(value), scales)
  return shapeObject(applyMergePatch(scaleObject, value), scales, report)
}
