import { isConflict } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { mayHave } from '../objects/live-objects.js'
import { idOf, objectName, type ReleaseObject } from '../objects/release-object.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'
import type { FoundObject } from './existing-objects.js'

/** The number of attempts to write an object that other programs keep changing. */
const maxTries = 5

/**
 * Reads objects. Rejects with {@link IrreconcilableError} `NotOurs` if some exist that do not belong to the release.
 * Returns the live objects; undefined for an object that does not exist.
 */
export async function checkNotForeign(
  run: ReleaseRun,
  objects: readonly ReleaseObject[],
): Promise<(KubeObject | undefined)[]> {
  const live = await run.live.readAll(objects)
  const foreign = objects.filter((_, index) => {
    const liveObject = live[index]
    return liveObject !== undefined && !mayHave(liveObject, run.release, run.options)
  })
  if (foreign.length > 0) throw foreignObjectError(run, foreign)
  return live
}

/** Those of the objects of a release that exist, without those that are being deleted. */
export interface FoundObjects {
  readonly found: readonly FoundObject[]
  /** The objects that an apply would not change, by their identities. */
  readonly unchanged: ReadonlySet<string>
}

/** Finds the objects that exist. Rejects as {@link checkNotForeign} does. */
export async function findExisting(
  run: ReleaseRun,
  objects: readonly ReleaseObject[],
): Promise<FoundObjects> {
  const live = await checkNotForeign(run, objects)
  const unchanged = objects.filter((object, index) => run.drift.isAsApplied(object, live[index]))
  return {
    found: objects.flatMap((object, index) => {
      const liveObject = live[index]
      return exists(liveObject) ? [{ object, live: liveObject }] : []
    }),
    unchanged: new Set(unchanged.map(idOf)),
  }
}

const exists = (live: KubeObject | undefined): live is KubeObject =>
  live !== undefined && live.metadata.deletionTimestamp === undefined

/** The error about foreign objects. The release goes on when the objects are gone, or belong to the release. */
export const foreignObjectError = (
  { release, options }: ReleaseRun,
  objects: readonly Pick<ReleaseObject, 'resource' | 'key'>[],
): IrreconcilableError =>
  new IrreconcilableError(
    'NotOurs',
    `objects exist that do not belong to the release ${release.name}: ${objects.map(objectName).join(', ')}; delete them, or rename the objects of the chart`,
    {
      foreign: {
        objects,
        release: `${release.namespace}/${release.name}`,
        isOurs: (object) => mayHave(object, release, options),
      },
    },
  )

/**
 * Writes an object. If the object changed since it was read, it is read again, and the write is repeated. Rejects with
 * {@link IrreconcilableError} `NotOurs` if somebody else created the object in between. `noteFound` is called with an
 * object that the release may take over, before the next attempt.
 */
export async function writeIfOurs<T>(
  run: ReleaseRun,
  object: ReleaseObject,
  write: () => Promise<T>,
  noteFound?: (found: FoundObject) => Promise<void>,
): Promise<T> {
  for (let triesLeft = maxTries; ; triesLeft--) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error) || triesLeft <= 1) throw error
      const [live] = await checkNotForeign(run, [object])
      if (live) await noteFound?.({ object, live })
    }
  }
}
