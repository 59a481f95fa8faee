/** A step to a field in FieldsV1: `f:name`, `k:{"name":"x"}`, `v:"x"` or `i:0`. */
export type PathElement = string

type Node = { [element: PathElement]: Node }

/**
 * A set of paths to fields: members of the set and their children are stored separately, because a field may
 * be owned without its contents and vice versa. A set is filled by {@link FieldSet.insert} and then shared;
 * operations return new sets. Works like `fieldpath.Set` of sigs.k8s.io/structured-merge-diff v6.
 */
export class FieldSet {
  readonly members: Set<PathElement>
  readonly children: Map<PathElement, FieldSet>
  #written: object | undefined

  constructor(members = new Set<PathElement>(), children = new Map<PathElement, FieldSet>()) {
    this.members = members
    this.children = children
  }

  get isEmpty(): boolean {
    if (this.members.size > 0) return false
    for (const child of this.children.values()) if (!child.isEmpty) return false
    return true
  }

  /** Adds a path of at least one element; only before the set is shared. */
  insert(path: readonly PathElement[]): void {
    let set: FieldSet = this
    for (let index = 0; index < path.length - 1; index++) {
      const element = path[index] ?? ''
      let child = set.children.get(element)
      if (child === undefined) {
        child = new FieldSet()
        set.children.set(element, child)
      }
      set = child
    }
    const last = path.at(-1)
    if (last !== undefined) set.members.add(last)
  }

  has(path: readonly PathElement[]): boolean {
    let set: FieldSet | undefined = this
    for (const element of path.slice(0, -1)) set = set?.children.get(element)
    return set?.members.has(path.at(-1) ?? '') ?? false
  }

  /** Whether every path of another set is in this one. */
  covers(other: FieldSet): boolean {
    for (const member of other.members) if (!this.members.has(member)) return false
    for (const [element, child] of other.children) {
      if (!child.isEmpty && !(this.children.get(element) ?? empty).covers(child)) return false
    }
    return true
  }

  /** The union of both; this set itself if the other adds nothing. */
  union(other: FieldSet): FieldSet {
    if (this === other || this.covers(other)) return this
    const children = new Map(this.children)
    for (const [element, child] of other.children) {
      children.set(element, this.children.get(element)?.union(child) ?? child)
    }
    return new FieldSet(new Set([...this.members, ...other.members]), children)
  }

  intersection(other: FieldSet): FieldSet {
    const members = new Set([...this.members].filter((member) => other.members.has(member)))
    return new FieldSet(
      members,
      this.#mapChildren((child, element) => child.intersection(other.children.get(element) ?? empty)),
    )
  }

  /** This set without the paths of the other; this set itself if nothing is removed. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this
    const members = new Set([...this.members].filter((member) => !other.members.has(member)))
    return new FieldSet(
      members,
      this.#mapChildren((child, element) => child.difference(other.children.get(element) ?? empty)),
    )
  }

  /** This set without the paths of the other and the paths below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this
    const members = new Set([...this.members].filter((member) => !other.members.has(member)))
    return new FieldSet(
      members,
      this.#mapChildren((child, element) =>
        other.members.has(element) ? empty : child.recursiveDifference(other.children.get(element) ?? empty),
      ),
    )
  }

  #mapChildren(change: (child: FieldSet, element: PathElement) => FieldSet): Map<PathElement, FieldSet> {
    const children = new Map<PathElement, FieldSet>()
    for (const [element, child] of this.children) {
      const changed = change(child, element)
      if (!changed.isEmpty) children.set(element, changed)
    }
    return children
  }

  /** Every path: first the members of each set, then its children, in the order of `Set.Iterate`. */
  *paths(prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
    for (const element of [...this.members].sort(byElement)) yield [...prefix, element]
    for (const element of [...this.children.keys()].sort(byElement)) {
      yield* this.children.get(element)?.paths([...prefix, element]) ?? []
    }
  }

  #elements(): PathElement[] {
    return [...new Set([...this.members, ...this.children.keys()])].sort(byElement)
  }

  /** The set as the `fieldsV1` of a managedFields entry. The value is shared, so do not change it. */
  get fieldsV1(): object {
    this.#written ??= shareEqual(this.#write())
    return this.#written
  }

  #write(): Node {
    const written: [string, Node][] = []
    for (const element of this.#elements()) {
      const child = this.children.get(element)
      if (child === undefined || child.isEmpty) written.push([element, {}])
      else if (this.members.has(element)) written.push([element, { '.': {}, ...child.#write() }])
      else written.push([element, child.#write()])
    }
    return Object.fromEntries(written)
  }
}

const empty = new FieldSet()

const kindOrder = 'fkvi'

function byElement(a: PathElement, b: PathElement): number {
  const ranks = kindOrder.indexOf(a.charAt(0)) - kindOrder.indexOf(b.charAt(0))
  if (ranks !== 0) return ranks
  return a < b ? -1 : Number(a > b)
}

/** The maximum number of shared `fieldsV1` values. */
const maxShared = 2000
const sharedSets = new Map<string, object>()

/** Returns an earlier equal value if there is one: objects of one kind from one client mostly have the same fields. */
function shareEqual(written: object): object {
  const text = JSON.stringify(written)
  const existing = sharedSets.get(text)
  if (existing !== undefined) return existing
  if (sharedSets.size >= maxShared) sharedSets.clear()
  sharedSets.set(text, written)
  return written
}

const readSets = new WeakMap<object, FieldSet>()

/** Parses a `fieldsV1`. Throws a `TypeError` for an invalid one. */
export function readFieldsV1(fields: object): FieldSet {
  const existing = readSets.get(fields)
  if (existing !== undefined) return existing
  const set = readNode(fields)
  readSets.set(fields, set)
  return set
}

function readNode(node: object): FieldSet {
  const set = new FieldSet()
  for (const [element, below] of Object.entries(node)) {
    if (!/^[fkvi]:/.test(element) || typeof below !== 'object' || below === null) {
      throw new TypeError(`"${element}" is not a path element of FieldsV1`)
    }
    const names = Object.keys(below)
    if (names.length === 0 || names.includes('.')) set.members.add(element)
    if (names.some((name) => name !== '.')) {
      set.children.set(
        element,
        readNode(Object.fromEntries(Object.entries(below).filter(([name]) => name !== '.'))),
      )
    }
  }
  return set
}

/** The set of these paths. */
export function fieldSetOf(paths: readonly (readonly PathElement[])[]): FieldSet {
  const set = new FieldSet()
  for (const path of paths) set.insert(path)
  return set
}
