import type { WasmMemory } from './web-assembly.js'

/** Finds the JSON of an object or list by its key: `null` if it does not exist, undefined if there is no answer now. */
export type FindObject = (key: string) => string | null | undefined

const noAnswer = -1

/** The functions by which the engine asks for objects while it renders. */
export class LookupImports {
  readonly #memory: () => WasmMemory
  readonly #find: FindObject
  #found = Buffer.alloc(0)

  constructor(memory: () => WasmMemory, find: FindObject = () => undefined) {
    this.#memory = memory
    this.#find = find
  }

  readonly functions = {
    /** Returns the size of the JSON, 0 if the object does not exist, and less than 0 if there is no answer now. */
    findObject: (at: number, length: number): number => {
      const found = this.#find(Buffer.from(this.#memory().buffer, at, length).toString('utf8'))
      if (found === undefined) return noAnswer
      this.#found = Buffer.from(found ?? '')
      return this.#found.length
    },
    /** Copies the JSON to an address. */
    readObject: (at: number): void => {
      new Uint8Array(this.#memory().buffer).set(this.#found, at)
    },
  }
}
