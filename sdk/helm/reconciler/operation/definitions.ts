import { isEstablished } from '../../../engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import { isDefinition, placeObject, type ReleaseObject } from '../objects/release-object.js'
import { type MissingDependency, newDefinition } from '../problem/missing-dependency.js'
import type { UnservedKind } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'

/**
 * Creates the objects in `crds/`, in their order: definitions as a rule, but Helm takes any kind. Returns the first
 * definition whose kind the cluster does not serve yet.
 */
export async function installDefinitions(
  run: ReleaseRun,
  { rendered }: WantedRelease,
): Promise<MissingDependency | undefined> {
  const { crds = 'install' } = run.options
  if (crds === 'skip') return undefined
  run.secretTexts.noteRendered(rendered.crds)
  let missing: MissingDependency | undefined
  for (const { object } of rendered.crds) {
    const installed = await ensureInstalled(run, await placeInCrds(run, object), crds)
    if (isDefinition(object)) missing ??= await missingKind(run, installed)
  }
  return missing
}

/** Finds the resource of an object of `crds/`; that of definitions is known without the cluster. */
async function placeInCrds({ kinds, release }: ReleaseRun, object: KubeObject): Promise<ReleaseObject> {
  const key = { namespace: '', name: object.metadata.name ?? '' }
  if (isDefinition(object)) return { resource: customResourceDefinitions, key, object }
  return placeObject(object, kinds, release.namespace)
}

/** Creates an object of `crds/`. An existing one is left alone, unless it is a definition to upgrade. */
async function ensureInstalled(
  run: ReleaseRun,
  object: ReleaseObject,
  crds: 'install' | 'upgrade',
): Promise<KubeObject> {
  const isUpgraded = crds === 'upgrade' && isDefinition(object.object)
  const [live] = isUpgraded ? [await run.live.read(object)] : await run.live.readAll([object])
  return !live || isUpgraded ? run.live.apply(object) : live
}

/** The kind of a definition if the cluster does not serve it yet; undefined if it does. */
async function missingKind(
  { kinds }: ReleaseRun,
  definition: KubeObject,
): Promise<MissingDependency | undefined> {
  const customDefinition = definition as CustomResourceDefinition
  const kind = kindOf(customDefinition)
  const isServed = !kind || (await kinds.find(kind.apiVersion, kind.kind)) !== undefined
  if (isServed && isEstablished(customDefinition)) return undefined
  return newDefinition(definition.metadata.name ?? '', kind)
}

/** The kind in the first version that is served; undefined if none is. */
function kindOf({ spec }: CustomResourceDefinition): UnservedKind | undefined {
  const version = spec.versions.find(({ served }) => served)
  return version && { apiVersion: `${spec.group}/${version.name}`, kind: spec.names.kind }
}
