import type { WasmMemory } from './web-assembly.js'

/** Finds the JSON of an object or list by its key: `null` if it does not exist, undefined if there is no answer now. */
export type FindObject = (key: string) => string | null | undefined

const noAnswer = -1

/** The functions by which the engine asks for objects while it renders. */
export class LookupImports {
  readonly #memory: () => WasmMemory
  readonly #find: FindObject
  #foundJson = Buffer.alloc(0)

  constructor(memory: () => WasmMemory, find: FindObject = () => undefined) {
    this.#memory = memory
    this.#find = find
  }

  readonly functions = {
    /** Returns the size of the JSON, 0 if the object does not exist, and less than 0 if there is no answer now. */
    findObject: (address: number, length: number): number => {
      const json = this.#find(Buffer.from(this.#memory().buffer, address, length).toString('utf8'))
      if (json === undefined) return noAnswer
      this.#foundJson = Buffer.from(json ?? '')
      return this.#foundJson.length
    },
    /** Copies the JSON to an address. */
    readObject: (address: number): void => {
      new Uint8Array(this.#memory().buffer).set(this.#foundJson, address)
    },
  }
}
