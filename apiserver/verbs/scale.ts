import type { KubeObject, ObjectMeta } from '../../sdk/kube/object.js'
import { bodyText, mediaType, parseObjectBody } from '../body.js'
import type { ResourceRequest } from '../context.js'
import { namesOfPath, type ScalePaths } from '../custom/scale-paths.js'
import { applyFields } from '../fields/apply-fields.js'
import { applyConflict } from '../fields/conflicts.js'
import { FieldSet } from '../fields/field-set.js'
import { type ManagedFields, readManagedFields } from '../fields/managed-fields.js'
import { resourceType } from '../fields/resource-type.js'
import { trackedType } from '../fields/tracked-type.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import { selectorText } from '../output/selector-text.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import { type ServedResource, servedEntry } from '../served-resource.js'
import { shapeObject, withKind } from '../shape.js'
import { invalid } from '../status.js'
import type { Entry } from '../store/entry.js'
import { validateFinalizerNames, validateMetadata } from '../validation/metadata.js'
import { subdomainName } from '../validation/names.js'
import { checkNotNegative } from '../validation/values.js'
import { checkApplied } from './apply.js'
import { get } from './get.js'
import { managerOf } from './managing.js'
import { parseManifest } from './manifest.js'
import { checkType, patchedObject } from './patch.js'
import { reportOf } from './report.js'
import { checkAddress, replaceObject } from './update.js'
import { isDryRun, writeOptions } from './write-options.js'

/** Where built-in kinds keep what `/scale` shows. */
const BUILT_IN: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

/** The `autoscaling/v1 Scale` of an object. */
export function scaleOf({ object }: Entry, { custom }: Pick<ServedResource, 'custom'>): KubeObject {
  const { specReplicasPath, statusReplicasPath } = custom?.scale ?? BUILT_IN
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
  // Go leaves a zero out of the Scale's spec.
  return replicas === 0 ? {} : { replicas }
}

/** A ReplicationController's selector is made of labels alone. */
function formatSelector(object: KubeObject): string {
  const selector = recordOf(fieldAt(object, 'spec', 'selector'))
  const isPlain = Object.values(selector).every((value) => typeof value === 'string')
  return selectorText(isPlain ? { matchLabels: selector } : selector)
}

function customSelector(object: KubeObject, scale: ScalePaths | undefined): string {
  const path = scale?.labelSelectorPath ?? ''
  return path === '' ? '' : textAt(object, ...namesOfPath(path))
}

/** A Scale, as far as reading, checking and showing one goes. */
export const SCALES: ServedResource = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  namespaced: true,
  singular: 'scale',
  listKind: 'ScaleList',
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: [],
  storage: 'scales',
  rules: {},
}

/** Writes the number of replicas that the Scale in the body asks for, by PUT or patch. */
export async function writeScale(request: ResourceRequest, verb: 'update' | 'patch'): Promise<Entry> {
  checkOptions(request, verb)
  const given = verb === 'update' ? await givenScale(request) : undefined
  const stored = get(request)
  const old = servedEntry(stored, request.resource)
  const asked = given ?? (await patchedScale(request, old))
  checkAddress(request, asked)
  const replicas = replicasOf(asked)
  const { uid = old.object.metadata.uid, resourceVersion = old.object.metadata.resourceVersion } =
    asked.metadata
  const { specReplicasPath } = request.resource.custom?.scale ?? BUILT_IN
  const next = withFieldAt(old.object, namesOfPath(specReplicasPath), replicas) as OpenObject
  next.metadata = { ...next.metadata, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  const dryRun = isDryRun(request.query.getAll('dryRun'), 'UpdateOptions')
  const whole = { ...request, target: { ...request.target, subresource: '' } }
  const applied = isApply(request) ? { managed: applyReplicas(request, old, replicas) } : {}
  return replaceObject(whole, { old: stored, next, dryRun, subresource: 'scale', ...applied })
}

const isApply = ({ headers }: ResourceRequest) =>
  mediaType(headers['content-type']) === 'application/apply-patch+yaml'

/** Who owns what after an apply of a Scale. Throws 409 where somebody else owns another number. */
function applyReplicas(request: ResourceRequest, { object }: Entry, replicas: number): ManagedFields {
  const { resource, query } = request
  const { specReplicasPath } = resource.custom?.scale ?? BUILT_IN
  const applied = applyFields({
    type: trackedType(resource),
    whole: resourceType(resource),
    live: withKind(object, resource),
    wanted: withFieldAt({}, namesOfPath(specReplicasPath), replicas),
    managed: readManagedFields(object.metadata.managedFields) ?? new Map(),
    manager: managerOf(request, 'Apply', { subresource: 'scale' }),
    now: undefined,
    ignored: new FieldSet(),
  })
  if (applied.losses.length > 0 && query.get('force') !== 'true') throw applyConflict(applied.losses)
  return applied.managed
}

/** Options are looked at before the object is. */
function checkOptions(request: ResourceRequest, verb: 'update' | 'patch'): void {
  const { query, headers, resource } = request
  if (verb === 'patch' && !isApply(request)) checkType(mediaType(headers['content-type']), resource)
  writeOptions(query, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions', isApply(request))
}

function replicasOf(scale: OpenObject): number {
  const replicas = Number(fieldAt(scale, 'spec', 'replicas') ?? 0)
  const errors = [
    ...validateMetadata(scale, subdomainName),
    ...validateFinalizerNames(scale),
    ...checkNotNegative('spec.replicas', replicas),
  ]
  if (errors.length > 0) throw invalid(SCALES, scale.metadata.name ?? '', errors)
  return replicas
}

/** A copy of the object with one field set; objects on the way to it are made where they are missing. */
function withFieldAt(object: unknown, [name, ...rest]: readonly string[], value: unknown): object {
  if (name === undefined) return recordOf(object)
  const members = recordOf(object)
  return { ...members, [name]: rest.length === 0 ? value : withFieldAt(members[name], rest, value) }
}

/** A Scale in a body is read before it is looked up what it is about. */
async function givenScale(request: ResourceRequest): Promise<OpenObject> {
  const { fieldValidation } = writeOptions(request.query, 'UpdateOptions', true)
  const body = await parseObjectBody(request, 'Scale')
  return shapeObject(body, SCALES, reportOf(request, fieldValidation))
}

async function patchedScale(request: ResourceRequest, old: Entry): Promise<OpenObject> {
  const { fieldValidation } = writeOptions(request.query, 'UpdateOptions', true)
  const report = reportOf(request, fieldValidation)
  const whole = scaleOf(old, request.resource)
  if (!isApply(request)) {
    return patchedObject(request, { whole, resource: SCALES, fieldValidation })
  }
  const { value } = await parseManifest(bodyText(request.body))
  checkApplied(recordOf(value), SCALES)
  return shapeObject(applyMergePatch(whole, value), SCALES, report)
}
