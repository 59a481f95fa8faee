import { stringifyJson } from '../../engine/kube/json.js'
import { isJsonObject, type JsonObject } from '../../engine/kube/json-object.js'

/** The items that have the same ones of some members. */
interface Group {
  /** The members that these items have. */
  readonly names: readonly string[]
  /** The index of the first item for each text of the values. */
  readonly first: Map<string, number>
}

/** The length up to which a list is searched for each item, which is faster than an index. */
const shortLength = 32

/**
 * The items of a list, which are found by some of their members. A long list is searched once for each set of members
 * and not once for each item, because users decide how long it is. The first of several items counts.
 */
export class IndexedItems {
  readonly #items: readonly unknown[]
  readonly #groups = new Map<string, Map<string, Group>>()

  constructor(items: readonly unknown[]) {
    this.#items = items
  }

  /** The item that has all of these members. */
  find(members: JsonObject): unknown {
    const names = Object.keys(members)
    if (this.#items.length <= shortLength)
      return this.#items.find(
        (item) => isJsonObject(item) && names.every((name) => item[name] === members[name]),
      )
    const group = this.#groupsOf(names).get(stringifyJson(names))
    return this.#itemAt(group && indexIn(group, members))
  }

  /** The item that has those of the members that it has at all. */
  findWithDefaults(members: JsonObject): unknown {
    const groups = [...this.#groupsOf(Object.keys(members)).values()]
    const indices = groups.flatMap((group) => indexIn(group, members) ?? [])
    return this.#itemAt(indices.length > 0 ? Math.min(...indices) : undefined)
  }

  #itemAt(index: number | undefined): unknown {
    return index === undefined ? undefined : this.#items[index]
  }

  /** The items by the ones of these members that they have. */
  #groupsOf(names: readonly string[]): ReadonlyMap<string, Group> {
    const id = stringifyJson(names)
    const groups = this.#groups.get(id) ?? groupsOf(this.#items, names)
    this.#groups.set(id, groups)
    return groups
  }
}

function groupsOf(items: readonly unknown[], names: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const [index, item] of items.entries()) {
    if (!isJsonObject(item)) continue
    const own = names.filter((name) => item[name] !== undefined)
    const id = stringifyJson(own)
    const group = groups.get(id) ?? { names: own, first: new Map<string, number>() }
    groups.set(id, group)
    const text = textOf(group, item)
    if (!group.first.has(text)) group.first.set(text, index)
  }
  return groups
}

const indexIn = (group: Group, members: JsonObject) => group.first.get(textOf(group, members))

const textOf = ({ names }: Group, members: JsonObject) => stringifyJson(names.map((name) => members[name]))
