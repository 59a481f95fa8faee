import { parseJson } from '../../sdk/engine/kube/json.js'

/**
 * A JSON value whose objects have every member of the text in order, including members with the same name.
 */
export type JsonNode = string | number | bigint | boolean | null | JsonNode[] | JsonMembers

/** The members of a JSON object, as in its text. */
export class JsonMembers {
  readonly entries: [name: string, value: JsonNode][] = []
}

const scalar = /"(?:[^"\\]|\\.)*"|[^\s[\]{},:]+/y

/** Parses a JSON text and keeps repeated members. Throws a `SyntaxError` with Go's message for an empty text. */
export function parseMembers(text: string): JsonNode {
  if (text.trim() === '') throw new SyntaxError('unexpected end of JSON input')
  // JSON.parse decides whether the text is valid.
  JSON.parse(text)
  return new MembersReader(text).read()
}

class MembersReader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): JsonNode {
    const next = this.#skip(' \t\r\n,:')
    if (next === '{') return this.#readObject()
    if (next === '[') return this.#readList()
    scalar.lastIndex = this.#position
    const [match = ''] = scalar.exec(this.#text) ?? []
    this.#position += match.length
    return parseJson(match) as JsonNode
  }

  #readObject(): JsonMembers {
    const members = new JsonMembers()
    this.#position++
    while (this.#skip(' \t\r\n,') !== '}') members.entries.push([String(this.read()), this.read()])
    this.#position++
    return members
  }

  #readList(): JsonNode[] {
    const elements: JsonNode[] = []
    this.#position++
    while (this.#skip(' \t\r\n,') !== ']') elements.push(this.read())
    this.#position++
    return elements
  }

  /** Returns the first character that is not one of these. */
  #skip(characters: string): string {
    while (characters.includes(this.#text.charAt(this.#position))) this.#position++
    return this.#text.charAt(this.#position)
  }
}
