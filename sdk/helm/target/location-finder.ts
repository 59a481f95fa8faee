/**
 * Finds where the release of an object is. A release that exists stays where its records are, whatever the object asks
 * for now: users change the fields that functions read, and programs change their functions.
 */
import type { Client } from '../../engine/client/client.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { type RecordedLocation, recordedLocations } from './recorded-locations.js'
import { formatLocation, isSameLocation, type ReleaseLocation } from './release-location.js'
import {
  defaultLocation,
  isHost,
  type LocationRules,
  possibleNamespaces,
  requestedLocation,
} from './requested-location.js'
import { TargetError } from './target-error.js'

/** The calls that a search needs. */
export interface LocationSearch {
  readonly clientOf: (cluster: string) => Client
  /** Whether a release at a location has a record of the object. */
  readonly isOwn: (location: ReleaseLocation, uid: string) => Promise<boolean>
  readonly signal?: AbortSignal
}

/** The location that the release of an object has, or is to have. */
export interface FoundLocation {
  readonly location: ReleaseLocation
  /** The problem if the object asks for another location now, or for an invalid one; the release stays. */
  readonly problem?: TargetError | undefined
  /** Locations with the seed of a release that never began. */
  readonly abandonedSeeds: readonly ReleaseLocation[]
}

/** The location that an object asks for, or the reason that there is none. */
type RequestedLocation =
  | { readonly location: ReleaseLocation }
  | { readonly location?: undefined; readonly problem: TargetError }

/** The locations of the releases of one kind. */
export class LocationFinder {
  readonly #rules: LocationRules
  /** The locations that earlier runs found, by key, so that the next run need not search. */
  readonly #known = new Map<string, { readonly uid: string; readonly location: ReleaseLocation }>()

  constructor(rules: LocationRules) {
    this.#rules = rules
  }

  /**
   * Finds the location of a release. Throws {@link TargetError} if no release exists and the object asks for an invalid
   * location.
   */
  async find(object: DeepReadonly<KubeObject>, search: LocationSearch): Promise<FoundLocation> {
    const requested = this.#ask(object)
    const knownLocation = await this.#knownLocation(object, requested, search)
    if (knownLocation) return foundLocation(knownLocation, requested)
    return this.searchOne(object, search)
  }

  /** Remembers where the release of an object has a record. */
  remember(object: DeepReadonly<KubeObject>, location: ReleaseLocation): void {
    const { uid = '' } = object.metadata
    this.#known.set(formatKey(keyOf(object as KubeObject)), { uid, location })
  }

  /** Finds the location of a release as {@link find} does, by a search. */
  async searchOne(object: DeepReadonly<KubeObject>, search: LocationSearch): Promise<FoundLocation> {
    const requested = this.#ask(object)
    const locations = await this.#search(object, search)
    const [recorded] = this.#sortByTrust(
      locations.filter(({ hasRecord }) => hasRecord),
      requested,
    )
    const location = recorded ?? requested.location
    if (!location) throw (requested as { problem: TargetError }).problem
    const abandonedSeeds = locations.filter((one) => !one.hasRecord && !isSameLocation(one, location))
    return { ...foundLocation(location, requested), abandonedSeeds }
  }

  /** All locations that have to be cleaned when an object goes: usually one. */
  async findAll(object: DeepReadonly<KubeObject>, search: LocationSearch): Promise<ReleaseLocation[]> {
    const requested = this.#ask(object)
    const recorded = this.#sortByTrust(await this.#search(object, search), requested)
    return recorded.length > 0 ? recorded : [requested.location ?? defaultLocation(this.#rules, object)]
  }

  /** Forgets the location of an object that is gone, and returns it. */
  forget(key: Key): ReleaseLocation | undefined {
    const knownLocation = this.#known.get(formatKey(key))
    this.#known.delete(formatKey(key))
    return knownLocation?.location
  }

  #ask(object: DeepReadonly<KubeObject>): RequestedLocation {
    try {
      return { location: requestedLocation(this.#rules, object) }
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      return { problem: error }
    }
  }

  /** The location that an earlier run found, if it is still that of the release. */
  async #knownLocation(
    object: DeepReadonly<KubeObject>,
    requested: RequestedLocation,
    { isOwn }: LocationSearch,
  ): Promise<ReleaseLocation | undefined> {
    const { uid = '' } = object.metadata
    const knownLocation = this.#known.get(formatKey(keyOf(object as KubeObject)))
    if (knownLocation?.uid !== uid) return undefined
    return isSameLocation(knownLocation.location, requested.location) ||
      (await isOwn(knownLocation.location, uid))
      ? knownLocation.location
      : undefined
  }

  #search(
    object: DeepReadonly<KubeObject>,
    { clientOf, signal }: LocationSearch,
  ): Promise<RecordedLocation[]> {
    const clusters = this.#rules.clusters.map((name) => ({
      name,
      client: clientOf(name),
      namespaces: possibleNamespaces(this.#rules, name, object),
    }))
    return recordedLocations(clusters, { uid: object.metadata.uid ?? '', ...(signal && { signal }) })
  }

  /** Sorts locations: those on the host first, where tenants cannot write, then the one that the object asks for. */
  #sortByTrust<T extends ReleaseLocation>(locations: readonly T[], requested: RequestedLocation): T[] {
    const rank = (location: T) =>
      (isHost(this.#rules, location.cluster) ? 0 : 2) + (isSameLocation(location, requested.location) ? 0 : 1)
    return [...locations].sort((one, other) => rank(one) - rank(other))
  }
}

function foundLocation(location: ReleaseLocation, requested: RequestedLocation): FoundLocation {
  const none = { location, abandonedSeeds: [] }
  if (!requested.location) return { ...none, problem: (requested as { problem: TargetError }).problem }
  return isSameLocation(location, requested.location)
    ? none
    : { ...none, problem: targetChangedError(location, requested.location) }
}

const targetChangedError = (location: ReleaseLocation, requested: ReleaseLocation) =>
  new TargetError(
    'TargetChanged',
    `the release of this object is ${formatLocation(location)}, and the object asks for ${formatLocation(requested)} now. A release is not moved: it ` +
      'stays as it is. Undo the change, or delete the object and create it again; or run ' +
      `helm uninstall ${location.name} --namespace ${location.namespace}, and a new one is installed`,
  )
