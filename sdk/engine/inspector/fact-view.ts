import type { OwnedNode } from './owned-node.js'

/** A fact about an object that its controller tells people, as a row of text. */
export interface FactView {
  /** In lower case, such as `operation`. */
  readonly name: string
  /** At least one, each a line. */
  readonly texts: readonly string[]
}

/** Makes a row. */
export const fact = (name: string, ...texts: string[]): FactView => ({ name, texts })

/** The facts that a controller tells about an object in addition to its conditions. */
export interface ObjectFacts {
  readonly rows: readonly FactView[]
  /** Why the object is not as wanted, in sentences. */
  readonly waitsFor: readonly string[]
  /** The things that belong to it in addition to the owned objects; default none. */
  readonly owns?: readonly OwnedNode[]
}

/** A controller that has nothing to add. */
export const noFacts: ObjectFacts = { rows: [], waitsFor: [] }
