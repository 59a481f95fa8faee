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

/** A slice. The memory behind its length keeps the elements from before the slice was cut. */
export class GoList {
  readonly length: number
  readonly memory: readonly GoValue[]

  constructor(memory: readonly GoValue[], length = memory.length) {
    this.memory = memory
    this.length = length
  }

  /** The elements within the length. */
  get elements(): readonly GoValue[] {
    return this.memory.slice(0, this.length)
  }
}

/** An `intstr.IntOrString`. It keeps its number when it becomes a string. */
export class GoIntOrString {
  readonly int: number
  readonly text: string | undefined

  constructor(int: number, text?: string) {
    this.int = int
    this.text = text
  }
}

/** JSON that Go keeps unchanged. */
export class GoRaw {
  readonly json: unknown

  constructor(json: unknown) {
    this.json = json
  }
}
