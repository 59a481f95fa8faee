import { groupOfApiVersion } from '../../../engine/kube/api-version.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { JsonObject } from '../../chart/json-object.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { objectsOf } from '../../render/manifest.js'
import type { Lookup, LookupQuery, RenderedChart } from '../../render/renderer.js'
import { hasValues } from './wanted-release.js'

/** The maximum number of queries that a record names. */
const maxAbsent = 100

/**
 * The lookups of one revision. A chart may look up one of its own objects, such as a Secret with a password, and render
 * differently once the object exists. This must not cause an upgrade, which would restart Pods after each installation.
 * So a query for an own object that found nothing when the revision began finds nothing again for the same revision.
 */
export class RevisionLookup {
  readonly #lookup: Lookup
  readonly #absentBefore: ReadonlySet<string>
  readonly #absent = new Map<string, LookupQuery>()

  /** `before` is the record of the revision; undefined if it has not begun. */
  constructor(lookup: Lookup, before: StoredRelease | undefined) {
    this.#lookup = lookup
    this.#absentBefore = new Set(readAbsent(before))
  }

  /** Answers a query. */
  readonly lookup: Lookup = async (query, signal) => {
    const id = idOf(query)
    const answer = this.#absentBefore.has(id) ? undefined : await this.#lookup(query, signal)
    if (!answer && query.name !== '') this.#absent.set(id, query)
    return answer
  }

  /** The queries for objects of the chart itself that found nothing. */
  async findAbsent({ objects, hooks }: RenderedChart, namespace: string): Promise<string[]> {
    if (this.#absent.size === 0) return []
    const ofHooks = await Promise.all(hooks.map(({ manifest }) => objectsOf(manifest)))
    const ownIds = new Set([...objects, ...ofHooks.flat()].map(({ object }) => idOfOwn(object, namespace)))
    const answer = [...this.#absent].filter(([, query]) =>
      ownIds.has(groupIdOf({ ...query, namespace: query.namespace || namespace })),
    )
    return answer.map(([id]) => id).slice(0, maxAbsent)
  }
}

/** The record of a revision with these values; undefined if there is none, so that everything is looked up. */
export const recordOf = (
  revisions: readonly StoredRelease[],
  { revision, values }: { readonly revision: number; readonly values: JsonObject },
): StoredRelease | undefined =>
  revisions.find(({ release }) => release.version === revision && hasValues(release, values))

/** The queries in a record. The record of another program may contain anything. */
function readAbsent(stored: StoredRelease | undefined): string[] {
  const absent: unknown = stored?.written?.absent
  return Array.isArray(absent) ? absent.filter((one) => typeof one === 'string') : []
}

const idOf = ({ apiVersion, kind, namespace, name }: LookupQuery) =>
  [apiVersion, kind, namespace, name].join(' ')

/** Identifies the object of a query by its group, because the version in the query may be another one. */
const groupIdOf = ({ apiVersion, kind, namespace, name }: LookupQuery) =>
  [groupOfApiVersion(apiVersion), kind, namespace, name].join(' ')

/** Objects without a namespace have that of the release; for kinds of the cluster that makes no difference. */
function idOfOwn({ apiVersion = '', kind = '', metadata }: KubeObject, release: string): string {
  const { namespace = '', name = '' } = metadata
  return groupIdOf({ apiVersion, kind, namespace: namespace || release, name })
}
