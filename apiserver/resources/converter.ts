import type { OpenObject } from '../base/object.js'
import type { Entry } from '../store/entry.js'

/** Versions of one kind. */
export interface Versions {
  readonly from: string
  readonly to: string
}

/**
 * Converts the objects of a CustomResourceDefinition by its webhook. Synchronous methods answer from earlier
 * conversions, and throw {@link ConversionRequired} if there was none.
 */
export interface Converter {
  /** The version in which objects are written to the store. */
  readonly storageVersion: string
  /** Stored entries in a version. An entry that is stored in that version is returned as it is. */
  entriesIn(entries: readonly Entry[], version: string): Entry[]
  /** A stored entry in another version, converted again at each call. */
  readAgain(entry: Entry, version: string): Promise<Entry>
  /** An object in another version. */
  formIn(object: OpenObject, versions: Versions): OpenObject
  /** Converts an object that is about to be stored, and back again for the answer. */
  prepare(object: OpenObject, version: string): Promise<void>
  /** The stored form of an object that was prepared. */
  preparedForm(object: OpenObject, version: string): OpenObject
  /** Caches an entry that was just written in the form of a version, and returns this form. */
  rememberWritten(entry: Entry, object: OpenObject, version: string): Entry
}

/** Objects must be converted before the work can go on: wait for `convert`, then begin again. */
export class ConversionRequired extends Error {
  override readonly name = 'ConversionRequired'
  readonly convert: () => Promise<void>

  constructor(convert: () => Promise<void>) {
    super('objects must be converted first')
    this.convert = convert
  }
}

/** Repeats work until every object that it needs is converted. Rejects with the error of a conversion. */
export async function whenConverted<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConversionRequired)) throw error
      await error.convert()
    }
  }
}
