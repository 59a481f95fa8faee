import { bodyText, parseJsonBody, parseObjectBody } from '../body.js'
import type { ResourceRequest } from '../context.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import type { Entry } from '../store/entry.js'
import { get } from './get.js'
import { replaceObject } from './update.js'
import { isDryRun } from './write-options.js'

/** The `autoscaling/v1 Scale` of an object. */
export function scaleOf({ object }: Entry): object {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const labels = Object.entries(recordOf(fieldAt(object, 'spec', 'selector', 'matchLabels')))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: Number(fieldAt(object, 'spec', 'replicas') ?? 0) },
    status: {
      replicas: Number(fieldAt(object, 'status', 'replicas') ?? 0),
      selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    },
  }
}

/** Writes the number of replicas that the Scale in the body asks for, by PUT or merge patch. */
export async function writeScale(request: ResourceRequest, verb: 'update' | 'patch'): Promise<Entry> {
  const old = get(request)
  const asked = recordOf(await askedScale(request, old, verb))
  const replicas = Number(textAt(asked, 'spec', 'replicas') || '0')
  const version = textAt(asked, 'metadata', 'resourceVersion')
  const metadata = { ...old.object.metadata }
  if (version !== '') metadata.resourceVersion = version
  const spec = { ...recordOf((old.object as OpenObject).spec), replicas }
  const dryRun = isDryRun(request.query.getAll('dryRun'), 'UpdateOptions')
  const whole = { ...request, target: { ...request.target, subresource: '' } }
  return replaceObject(whole, { old, next: { ...old.object, metadata, spec } as OpenObject, dryRun })
}

function askedScale(
  request: ResourceRequest,
  old: Entry,
  verb: 'update' | 'patch',
): Promise<unknown> | unknown {
  if (verb === 'update') return parseObjectBody(request, 'Scale')
  const text = bodyText(request.body)
  return applyMergePatch(
    scaleOf(old),
    parseJsonBody(text, (problem) => `error decoding patch: ${problem}`),
  )
}
