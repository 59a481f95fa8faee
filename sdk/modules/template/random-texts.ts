import { randomInt } from 'node:crypto'
import type { MetaData } from '../metadata/metadata.js'
import type { RandomText } from './render-templates.js'

const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const key = 'random'

/** Random texts that are drawn once, and kept in the metadata of a Module. */
export class RandomTexts {
  readonly #metaData: MetaData
  readonly #texts: Record<string, string>
  #isStored = true

  constructor(metaData: MetaData) {
    this.#metaData = metaData
    this.#texts = { ...(metaData.get(key) as Record<string, string> | undefined) }
  }

  /** The text of a place in the spec. */
  readonly draw: RandomText = (place, length) => {
    const drawnText = Object.hasOwn(this.#texts, place) ? this.#texts[place] : undefined
    if (drawnText !== undefined) return drawnText
    const text = randomText(length)
    this.#texts[place] = text
    this.#isStored = false
    return text
  }

  /** Stores the drawn texts, which then survive a crash. */
  async save(): Promise<void> {
    if (this.#isStored) return
    this.#metaData.set(key, this.#texts)
    await this.#metaData.save()
    this.#isStored = true
  }
}

/** The random texts in the metadata of a Module. */
export const randomTextsIn = (metaData: MetaData): string[] =>
  Object.values(Object(metaData.get(key))).filter((text): text is string => typeof text === 'string')

const randomText = (length: number) =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join('')
