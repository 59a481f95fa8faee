import { customResourceDefinitions } from '../../kube/builtin.js'
import type { StoredRelease } from '../release/stored-release.js'
import { objectsOf } from '../render/manifest.js'
import type { RenderedObject } from '../render/renderer.js'
import { beginRevision, isPending, type NextRevision, wasDeployed } from './begin-revision.js'
import { Operation } from './operation.js'
import { IrreconcilableError, OperationError } from './problem.js'
import { idOf, marked, placed, type ReleaseObject } from './release-object.js'
import type { ReleaseRun } from './release-run.js'
import type { WantedRelease } from './wanted-release.js'

/** The work of {@link deploy}. */
export interface Deployment {
  readonly revisions: readonly StoredRelease[]
  readonly wanted: WantedRelease
  readonly next: NextRevision
}

/**
 * Installs or upgrades a release, or continues to. Answers the deployed revision, or nothing while a hook or a definition is waited
 * for. A step that fails records the revision as failed.
 */
export async function deploy(run: ReleaseRun, work: Deployment): Promise<StoredRelease | undefined> {
  const { wanted, next } = work
  // A definition would be written before the objects are looked at.
  if (wanted.rendered.crds.length > 0)
    await checkNotForeign(run, await placedServed(run, wanted.rendered.objects))
  const before = await earlierObjects(run, work)
  if (!(await installDefinitions(run, wanted))) return undefined
  const objects = (await placed(wanted.rendered.objects, run.kinds, run.release.namespace)).map((one) =>
    marked(one, run),
  )
  await checkNotForeign(run, objects)
  await removeStale(run, { before, objects, of: next.continued })
  const operation = new Operation(run, await beginRevision(run, work))
  try {
    return await finish(run, { operation, objects, before, work })
  } catch (error) {
    if (error instanceof OperationError) await operation.end('failed', failure(run, next, error))
    throw error
  }
}

const failure = ({ release }: ReleaseRun, { isInstall }: NextRevision, { message }: Error) =>
  `${isInstall ? 'Release' : 'Upgrade'} ${JSON.stringify(release.name)} failed: ${message}`

/** The objects of the revisions since the last one that was deployed, that one included. */
async function earlierObjects(
  run: ReleaseRun,
  { revisions, next }: Deployment,
): Promise<Map<StoredRelease, ReleaseObject[]>> {
  const earlier = revisions.filter((one) => one.release.version <= next.version)
  const from = earlier.findLast(wasDeployed)?.release.version ?? 0
  const found = new Map<StoredRelease, ReleaseObject[]>()
  for (const revision of earlier.filter((one) => one.release.version >= from)) {
    const { manifest } = revision.release
    found.set(revision, await placedIfServed(run, manifest))
  }
  return found
}

/** A kind that is no longer served has no objects. */
export async function placedIfServed(run: ReleaseRun, manifest: string): Promise<ReleaseObject[]> {
  return placedServed(run, await objectsOf(manifest))
}

async function placedServed(run: ReleaseRun, objects: readonly RenderedObject[]): Promise<ReleaseObject[]> {
  const served = await Promise.all(
    objects.map(({ object }) => run.kinds.find(object.apiVersion ?? '', object.kind ?? '')),
  )
  return placed(
    objects.filter((_, at) => served[at]),
    run.kinds,
    run.release.namespace,
  )
}

/** An operation that was interrupted may have made objects that are not wanted any more. */
async function removeStale(
  run: ReleaseRun,
  {
    before,
    objects,
    of,
  }: { before: Map<StoredRelease, ReleaseObject[]>; objects: ReleaseObject[]; of: StoredRelease | undefined },
): Promise<void> {
  if (of && isPending(of)) await removeAbsent(run, before.get(of) ?? [], objects)
}

async function removeAbsent(
  run: ReleaseRun,
  old: readonly ReleaseObject[],
  objects: readonly ReleaseObject[],
): Promise<void> {
  const wanted = new Set(objects.map(idOf))
  const gone = old.filter((one) => !wanted.has(idOf(one))).reverse()
  for (const object of gone) await run.live.delete(object, run.release)
  run.drift.forget(gone)
}

async function checkNotForeign(run: ReleaseRun, objects: readonly ReleaseObject[]): Promise<void> {
  const foreign = await run.live.foreign(objects, run.release)
  if (foreign.length === 0) return
  throw new IrreconcilableError(
    'NotOurs',
    `${foreign.join(', ')} exist and do not belong to the release ${run.release.name}; delete them, or rename the objects of the chart`,
  )
}

/** Creates definitions in `crds/`. Answers whether they are served. */
async function installDefinitions(run: ReleaseRun, { rendered }: WantedRelease): Promise<boolean> {
  const { crds = 'install' } = run.options
  if (crds === 'skip') return true
  let areServed = true
  for (const { object } of rendered.crds) {
    const definition = {
      resource: customResourceDefinitions,
      key: { namespace: '', name: object.metadata.name ?? '' },
      object,
    }
    const live = await run.live.read(definition)
    const now = !live || crds === 'upgrade' ? await run.live.apply(definition) : live
    areServed &&= isEstablished(now)
  }
  return areServed
}

function isEstablished(definition: object): boolean {
  const { conditions = [] } =
    (definition as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {}
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}

interface Begun {
  readonly operation: Operation
  readonly objects: readonly ReleaseObject[]
  readonly before: ReadonlyMap<StoredRelease, readonly ReleaseObject[]>
  readonly work: Deployment
}

async function finish(
  run: ReleaseRun,
  { operation, objects, before, work }: Begun,
): Promise<StoredRelease | undefined> {
  const { isInstall } = work.next
  const { installDisableHooks, upgradeDisableHooks, installDescription, upgradeDescription } = run.annotations
  const areDisabled = isInstall ? installDisableHooks : upgradeDisableHooks
  const post = isInstall ? 'post-install' : 'post-upgrade'
  if (operation.stage === 'pre-hooks') {
    if (!(await operation.runHooks(isInstall ? 'pre-install' : 'pre-upgrade', areDisabled))) return undefined
    await operation.enter('objects')
  }
  if (operation.stage === 'objects') {
    for (const object of objects) run.drift.applied(object, await run.live.apply(object))
    for (const [revision, old] of before)
      if (revision.release.version !== operation.revision.release.version)
        await removeAbsent(run, old, objects)
    await operation.enter('post-hooks', post)
  }
  if (!(await operation.runHooks(post, areDisabled))) return undefined
  await supersede(run, work.revisions, operation.revision)
  const description = isInstall
    ? (installDescription ?? 'Install complete')
    : (upgradeDescription ?? 'Upgrade complete')
  await operation.end('deployed', description)
  const { maxHistory = 10 } = run.options
  const others = work.revisions.filter(
    ({ release }) => release.version !== operation.revision.release.version,
  )
  await run.store.prune(
    [...others, operation.revision],
    run.annotations.maxHistory ?? maxHistory,
    run.ctx.signal,
  )
  return operation.revision
}

async function supersede(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  by: StoredRelease,
): Promise<void> {
  for (const revision of revisions) {
    const { release } = revision
    if (release.info.status !== 'deployed' || release.version === by.release.version) continue
    await run.store.update(
      { ...revision, release: { ...release, info: { ...release.info, status: 'superseded' } } },
      run.ctx.signal,
    )
  }
}
