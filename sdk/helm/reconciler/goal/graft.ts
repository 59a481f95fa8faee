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

/**
 * Puts recorded values where two renderings of one chart differ: there the chart draws random text. Collects the paths
 * of the values that change something. `keepRandomValues` uses it. In the methods, `drawn` is the first rendering,
 * `redrawn` the second one, and `stored` the recorded revision.
 */
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

  /** Returns the first objects with recorded values in the fields in which both renderings differ. */
  graftObjects(
    objects: readonly RenderedObject[],
    otherObjects: readonly RenderedObject[],
    stored: readonly RenderedObject[],
  ): RenderedObject[] {
    const places = placesOf(objects)
    const redrawnObjects = byText(placesOf(otherObjects), otherObjects)
    const storedInOrder = byText(placesOf(stored), stored)
    const storedNames = byText(stored.map(nameOf), stored)
    return objects.map((drawn, index) => {
      const place = places[index] ?? ''
      const redrawn = redrawnObjects.get(place)
      const name = nameOf(drawn)
      // The name of an object can be random.
      const isNamed = redrawn && nameOf(redrawn) === name
      const storedObject = isNamed ? storedNames.get(name) : redrawn && storedInOrder.get(place)
      if (!redrawn || !storedObject) return drawn
      const { metadata, kind } = drawn.object
      const path = `${kind} ${metadata.name ?? ''}:`
      this.#object = storedObject.object
      const object = this.#graftValue([drawn.object, redrawn.object, storedObject.object], path) as KubeObject
      return { ...drawn, object }
    })
  }

  #graftValue([drawn, redrawn, stored]: readonly [unknown, unknown, unknown], path: string): unknown {
    if (stored === undefined || isEqual(drawn, redrawn)) return drawn
    if (isJsonObject(drawn) && isJsonObject(redrawn))
      return this.#graftMembers([drawn, redrawn, stored], path)
    if (
      Array.isArray(drawn) &&
      Array.isArray(redrawn) &&
      drawn.length === redrawn.length &&
      Array.isArray(stored)
    )
      return drawn.map((item, index) =>
        this.#graftValue([item, redrawn[index], stored[index]], `${path}[${index}]`),
      )
    const leaf = this.#object && { path, object: this.#object, stored, drawn }
    if (leaf && this.#renews(leaf)) {
      this.renewed.push(leaf)
      return drawn
    }
    if (leaf) this.leaves.push(leaf)
    if (!isEqual(drawn, stored)) this.#paths.add(path)
    return stored
  }

  #graftMembers(
    [drawn, redrawn, stored]: readonly [JsonObject, JsonObject, unknown],
    path: string,
  ): JsonObject {
    const storedMembers = isJsonObject(stored) ? stored : {}
    const memberValue = (name: string) =>
      Object.hasOwn(redrawn, name) && Object.hasOwn(storedMembers, name)
        ? this.#graftValue([drawn[name], redrawn[name], storedMembers[name]], memberOf(path, name))
        : drawn[name]
    return Object.fromEntries(Object.keys(drawn).map((name) => [name, memberValue(name)]))
  }
}

/** The place of each object: its kind, its file and its number there. Names can be random. */
function placesOf(objects: readonly RenderedObject[]): string[] {
  const counts = new Map<string, number>()
  return objects.map(({ source, object }) => {
    const place = `${source} ${object.apiVersion} ${object.kind}`
    const count = counts.get(place) ?? 0
    counts.set(place, count + 1)
    return `${place} ${count}`
  })
}

/** Objects by their texts: of equal texts, the first object. */
function byText(texts: readonly string[], objects: readonly RenderedObject[]): Map<string, RenderedObject> {
  const found = new Map<string, RenderedObject>()
  for (const [index, object] of objects.entries()) {
    const text = texts[index] ?? ''
    if (!found.has(text)) found.set(text, object)
  }
  return found
}

const nameOf = ({ object: { apiVersion, kind, metadata } }: RenderedObject) =>
  JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name])

const memberOf = (path: string, name: string) => `${path}${path.endsWith(':') ? ' ' : '.'}${name}`
