import type { KubeObject } from '../../kube/object.js'
import { bodyText, parseJsonBody, parseObjectBody } from '../body.js'
import type { ResourceRequest } from '../context.js'
import { namesOfPath, type ScalePaths } from '../custom/scale-paths.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import { type ServedResource, servedEntry } from '../served-resource.js'
import { invalid } from '../status.js'
import type { Entry } from '../store/entry.js'
import { checkNotNegative } from '../validation/values.js'
import { get } from './get.js'
import { replaceObject } from './update.js'
import { isDryRun } from './write-options.js'

/** Where built-in kinds keep what `/scale` shows. */
const BUILT_IN: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

/** The `autoscaling/v1 Scale` of an object. */
export function scaleOf({ object }: Entry, { custom }: Pick<ServedResource, 'custom'>): object {
  const { specReplicasPath, statusReplicasPath } = custom?.scale ?? BUILT_IN
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = custom === undefined ? formatSelector(object) : customSelector(object, custom.scale)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicasAt(object, specReplicasPath),
    status: {
      replicas: Number(fieldAt(object, ...namesOfPath(statusReplicasPath)) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  }
}

function replicasAt(object: KubeObject, path: string): object {
  const replicas = Number(fieldAt(object, ...namesOfPath(path)) ?? 0)
  // Go leaves a zero out of the Scale's spec.
  return replicas === 0 ? {} : { replicas }
}

function formatSelector(object: KubeObject): string {
  const labels = Object.entries(recordOf(fieldAt(object, 'spec', 'selector', 'matchLabels')))
  return labels.map(([key, value]) => `${key}=${value}`).join(',')
}

function customSelector(object: KubeObject, scale: ScalePaths | undefined): string {
  const path = scale?.labelSelectorPath ?? ''
  return path === '' ? '' : textAt(object, ...namesOfPath(path))
}

/** Writes the number of replicas that the Scale in the body asks for, by PUT or merge patch. */
export async function writeScale(request: ResourceRequest, verb: 'update' | 'patch'): Promise<Entry> {
  const stored = get(request)
  const old = servedEntry(stored, request.resource)
  const asked = recordOf(await askedScale(request, old, verb))
  const replicas = Number(textAt(asked, 'spec', 'replicas') || '0')
  if (replicas < 0) {
    const scale = { group: 'autoscaling', kind: 'Scale' }
    throw invalid(scale, request.target.name, checkNotNegative('spec.replicas', replicas))
  }
  const version = textAt(asked, 'metadata', 'resourceVersion') || old.object.metadata.resourceVersion
  const { specReplicasPath } = request.resource.custom?.scale ?? BUILT_IN
  const next = withFieldAt(old.object, namesOfPath(specReplicasPath), replicas) as OpenObject
  next.metadata = { ...next.metadata, ...(version === undefined ? {} : { resourceVersion: version }) }
  const dryRun = isDryRun(request.query.getAll('dryRun'), 'UpdateOptions')
  const whole = { ...request, target: { ...request.target, subresource: '' } }
  return replaceObject(whole, { old: stored, next, dryRun, subresource: 'scale' })
}

/** A copy of the object with one field set; objects on the way to it are made where they are missing. */
function withFieldAt(object: unknown, [name, ...rest]: readonly string[], value: unknown): object {
  if (name === undefined) return recordOf(object)
  const members = recordOf(object)
  return { ...members, [name]: rest.length === 0 ? value : withFieldAt(members[name], rest, value) }
}

function askedScale(
  request: ResourceRequest,
  old: Entry,
  verb: 'update' | 'patch',
): Promise<unknown> | unknown {
  if (verb === 'update') return parseObjectBody(request, 'Scale')
  const text = bodyText(request.body)
  return applyMergePatch(
    scaleOf(old, request.resource),
    parseJsonBody(text, (problem) => `error decoding patch: ${problem}`),
  )
}
