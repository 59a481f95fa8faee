/**
 * A value as a Go program holds it. Members of a struct that are `undefined` have their zero value; a pointer, list or
 * map that is `undefined` is nil.
 */
export type GoValue =
  | undefined
  | string
  | number
  | bigint
  | boolean
  | GoList
  | GoFields
  | GoIntOrString
  | GoRaw

/** The members of a struct, or the entries of a map. */
export type GoFields = ReadonlyMap<string, GoValue>

/** A slice: behind its length the memory still holds what was there before it was cut. */
export class GoList {
  readonly length: number
  readonly memory: readonly GoValue[]

  constructor(memory: readonly GoValue[], length = memory.length) {
    this.memory = memory
    this.length = length
  }

  /** What there is to see. */
  get elements(): readonly GoValue[] {
    return this.memory.slice(0, this.length)
  }
}

/** An `intstr.IntOrString`: the number stays while the text is what counts. */
export class GoIntOrString {
  readonly int: number
  readonly text: string | undefined

  constructor(int: number, text?: string) {
    this.int = int
    this.text = text
  }
}

/** JSON that Go keeps as it came. */
export class GoRaw {
  readonly json: unknown

  constructor(json: unknown) {
    this.json = json
  }
}
