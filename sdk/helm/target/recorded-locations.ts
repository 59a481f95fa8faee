// Finds the releases of an object by their Secrets: the records of Helm, and seeds. A seed is a Secret that the
// reconciler writes before the first record; it contains the start of the random values of the chart.
import type { Client } from '../../engine/client/client.js'
import { listPages } from '../../engine/client/list-all.js'
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { releaseOfSeed } from '../release/seed-secret.js'
import { ownerLabel, releaseOfRecord } from '../release/stored-release.js'
import { idOfLocation, type ReleaseLocation } from './release-location.js'

/**
 * The number of Secrets in a page, which is in memory as a whole. A page of the largest Secrets has less than 8 MiB,
 * the limit of an API server that a user chooses.
 */
const pageSize = 5
/** The maximum number of pages. An API server that a user chooses could name a next page each time. */
const maxPages = 2000

/** A cluster, and its namespaces that are searched. */
export interface SearchedCluster {
  readonly name: string
  readonly client: Client
  readonly namespaces: readonly string[]
}

/** A location that has Secrets of the release of an object. */
export interface RecordedLocation extends ReleaseLocation {
  /** Whether there is a record. There is only a seed if a process ended after the seed and before the first record. */
  readonly hasRecord: boolean
}

/**
 * The locations whose Secrets say that they belong to the release of an object: by the label with its UID, and by the
 * type and the name of a record. Only those who may write Secrets in these namespaces can add one.
 */
export async function recordedLocations(
  clusters: readonly SearchedCluster[],
  { uid, signal }: { uid: string; signal?: AbortSignal },
): Promise<RecordedLocation[]> {
  const locations = new Map<string, RecordedLocation>()
  for (const { name: cluster, client, namespaces } of clusters)
    for (const namespace of namespaces)
      for await (const listed of locationsIn(client, { namespace, uid, signal })) {
        const location = { ...listed, cluster }
        const hasRecord = location.hasRecord || locations.get(idOfLocation(location))?.hasRecord === true
        locations.set(idOfLocation(location), { ...location, hasRecord })
      }
  return [...locations.values()]
}

async function* locationsIn(
  client: Client,
  { namespace, uid, signal }: { namespace: string; uid: string; signal: AbortSignal | undefined },
): AsyncGenerator<Omit<RecordedLocation, 'cluster'>> {
  const selected = {
    namespace,
    labelSelector: `${ownerLabel}=${uid}`,
    limit: pageSize,
    ...(signal && { signal }),
  }
  let pages = 0
  for await (const page of listPages(client, secrets, selected)) {
    for (const secret of page.items) yield* locationsOf(secret, namespace)
    pages += 1
    if (pages === maxPages && page.metadata.continue) throw tooManyError(namespace, selected.labelSelector)
  }
}

const tooManyError = (namespace: string, labels: string) =>
  new Error(
    `namespace ${namespace} has more than ${maxPages} pages of Secrets with the label ${labels}; delete those that ` +
      'are not records of Helm',
  )

function locationsOf(secret: Secret, namespace: string): Omit<RecordedLocation, 'cluster'>[] {
  const recorded = releaseOfRecord(secret)
  const name = recorded ?? releaseOfSeed(secret)
  return name === undefined ? [] : [{ namespace, name, hasRecord: recorded !== undefined }]
}
