import { type CustomResourceDefinition, customResourceDefinitions } from '../../kube/builtin.js'
import type { KubeObject } from '../../kube/object.js'
import { isEstablished, type Lacking, newDefinition } from './lacking.js'
import type { UnservedKind } from './problem.js'
import type { ReleaseRun } from './release-run.js'
import type { WantedRelease } from './wanted-release.js'

/** Creates the definitions in `crds/`. Returns the first one whose kind the cluster does not serve yet. */
export async function installDefinitions(
  run: ReleaseRun,
  { rendered }: WantedRelease,
): Promise<Lacking | undefined> {
  const { crds = 'install' } = run.options
  if (crds === 'skip') return undefined
  let lacking: Lacking | undefined
  for (const { object } of rendered.crds) {
    const now = await installed(run, object, crds)
    lacking ??= await lackingFor(run, now)
  }
  return lacking
}

/** One that somebody creates in between is left alone, too. */
async function installed(
  run: ReleaseRun,
  object: KubeObject,
  crds: 'install' | 'upgrade',
): Promise<KubeObject> {
  const key = { namespace: '', name: object.metadata.name ?? '' }
  const definition = { resource: customResourceDefinitions, key, object }
  const [live] = crds === 'upgrade' ? [await run.live.read(definition)] : await run.live.look([definition])
  return !live || crds === 'upgrade' ? run.live.apply(definition) : live
}

async function lackingFor({ kinds }: ReleaseRun, definition: KubeObject): Promise<Lacking | undefined> {
  const kind = kindOf(definition as CustomResourceDefinition)
  const isServed = !kind || (await kinds.find(kind.apiVersion, kind.kind)) !== undefined
  if (isServed && isEstablished(definition)) return undefined
  return newDefinition(definition.metadata.name ?? '', kind)
}

/** The kind in the first version that is served; undefined if none is. */
function kindOf({ spec }: CustomResourceDefinition): UnservedKind | undefined {
  const version = spec.versions.find(({ served }) => served)
  return version && { apiVersion: `${spec.group}/${version.name}`, kind: spec.names.kind }
}
