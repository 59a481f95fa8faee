import isEqual from 'lodash/isEqual.js'
import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { JsonObject } from '../../chart/json-object.js'
import type { RenderedObject } from '../../render/renderer.js'

/** A field in which two renderings differ, with its recorded value. */
export interface RandomLeaf {
  /** The object and the path of the field. */
  readonly path: string
  /** The recorded object. */
  readonly object: KubeObject
  readonly stored: unknown
  /** The value of the rendering. */
  readonly drawn: unknown
}

/** Puts recorded values where two renderings differ, and collects the paths of those that change something. */
export class Graft {
  /** The fields with recorded values. */
  readonly leaves: RandomLeaf[] = []
  /** The fields with new values. */
  readonly renewed: RandomLeaf[] = []
  readonly #paths: Set<string>
  readonly #renews: (leaf: RandomLeaf) => boolean
  #object: KubeObject | undefined

  /** `renews` says which fields keep their new value; default none. */
  constructor(paths: Set<string>, renews: (leaf: RandomLeaf) => boolean = () => false) {
    this.#paths = paths
    this.#renews = renews
  }

  graftObjects(
    ones: readonly RenderedObject[],
    others: readonly RenderedObject[],
    stored: readonly RenderedObject[],
  ): RenderedObject[] {
    const [ids, otherIds] = [places(ones), places(others)]
    return ones.map((one, at) => {
      const other = others[otherIds.indexOf(ids[at] ?? '')]
      const known = other && findStored(one, { other, stored, place: ids[at] ?? '' })
      if (!known) return one
      const { metadata, kind } = one.object
      const path = `${kind} ${metadata.name ?? ''}:`
      this.#object = known.object
      const object = this.#graftValue([one.object, other.object, known.object], path) as KubeObject
      return { ...one, object }
    })
  }

  #graftValue([one, other, stored]: readonly [unknown, unknown, unknown], path: string): unknown {
    if (stored === undefined || isEqual(one, other)) return one
    if (isJsonObject(one) && isJsonObject(other)) return this.#graftMembers([one, other, stored], path)
    if (Array.isArray(one) && Array.isArray(other) && one.length === other.length && Array.isArray(stored))
      return one.map((item, at) => this.#graftValue([item, other[at], stored[at]], `${path}[${at}]`))
    const leaf = this.#object && { path, object: this.#object, stored, drawn: one }
    if (leaf && this.#renews(leaf)) {
      this.renewed.push(leaf)
      return one
    }
    if (leaf) this.leaves.push(leaf)
    if (!isEqual(one, stored)) this.#paths.add(path)
    return stored
  }

  #graftMembers([one, other, stored]: readonly [JsonObject, JsonObject, unknown], path: string): JsonObject {
    const known = isJsonObject(stored) ? stored : {}
    const kept = (name: string) =>
      Object.hasOwn(other, name) && Object.hasOwn(known, name)
        ? this.#graftValue([one[name], other[name], known[name]], memberOf(path, name))
        : one[name]
    return Object.fromEntries(Object.keys(one).map((name) => [name, kept(name)]))
  }
}

/** The place of each object: its kind, its file and its number there. Names can be random. */
function places(objects: readonly RenderedObject[]): string[] {
  const counts = new Map<string, number>()
  return objects.map(({ source, object }) => {
    const place = `${source} ${object.apiVersion} ${object.kind}`
    const count = counts.get(place) ?? 0
    counts.set(place, count + 1)
    return `${place} ${count}`
  })
}

/** The recorded object of the same name, or in the same place if the name is random. */
function findStored(
  one: RenderedObject,
  { other, stored, place }: { other: RenderedObject; stored: readonly RenderedObject[]; place: string },
): RenderedObject | undefined {
  if (nameOf(one) !== nameOf(other)) return stored[places(stored).indexOf(place)]
  return stored.find((known) => nameOf(known) === nameOf(one))
}

const nameOf = ({ object: { apiVersion, kind, metadata } }: RenderedObject) =>
  JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name])

const memberOf = (path: string, name: string) => `${path}${path.endsWith(':') ? ' ' : '.'}${name}`
