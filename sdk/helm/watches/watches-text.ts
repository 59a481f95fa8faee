import type { Document, LineCounter, Node, Pair } from 'yaml'
import { parseJson } from '../../engine/kube/json.js'

/** A path in a file: the way to it by names and indices. */
export type YamlPath = readonly (string | number)[]

/** A problem at a path of a file; all of a file are reported together. */
export interface WatchesProblem {
  readonly path: YamlPath
  /** Whether the key is wrong, and not its value. */
  readonly isKey?: boolean
  readonly message: string
}

/** The text of a `watches.yaml`: its content as Go reads YAML, and the positions of its parts. */
export class WatchesText {
  /** The first document; `null` for an empty file. */
  readonly content: unknown
  /** Problems of the text: several documents, keys that are written twice. */
  readonly problems: readonly string[]
  readonly #file: string
  readonly #document: Document | undefined
  readonly #lines: LineCounter

  private constructor(parts: { file: string; content: unknown; documents: Document[]; lines: LineCounter }) {
    this.content = parts.content
    this.#file = parts.file
    this.#lines = parts.lines
    this.#document = parts.documents[0]
    const [, second] = parts.documents
    const repeated = repeatedKeys(this.#document?.contents).map(
      (key) => `${this.#positionOf(key)}: the key ${JSON.stringify(sourceOf(key))} is there twice`,
    )
    const several = `${this.#positionOf(second?.contents)}: the file has a second document; write all entries into one list`
    this.problems = second ? [...repeated, several] : repeated
  }

  /** Reads a text. Rejects with a `SyntaxError` that names the line if it is not YAML. */
  static async read(file: string, text: string): Promise<WatchesText> {
    const [{ yamlToJson }, { LineCounter, parseAllDocuments }] = await Promise.all([
      import('../../engine/kube/go-yaml/yaml-to-json.js'),
      import('../../engine/kube/yaml.js'),
    ])
    const lines = new LineCounter()
    const options = { schema: 'failsafe', uniqueKeys: false, lineCounter: lines, logLevel: 'silent' } as const
    const parsed = parseAllDocuments(text, options)
    const documents = (Array.isArray(parsed) ? parsed : []) as Document[]
    return new WatchesText({ file, content: parseJson(yamlToJson(text).json), documents, lines })
  }

  /** A problem with its position: `file:line:column: entry 1, key: message`. */
  describe({ path: [entry, ...path], isKey = false, message }: WatchesProblem): string {
    if (entry === undefined) return `${this.#positionOf(this.#document?.contents)}: ${message}`
    const position = this.#positionOf(this.#nodeAt([entry, ...path], isKey))
    const shown = path.length > 0 ? `, ${path.join('.')}` : ''
    return `${position}: entry ${Number(entry) + 1}${shown}: ${message}`
  }

  /** The node at a path; the nearest one above if it does not exist. */
  #nodeAt(path: YamlPath, isKey: boolean): unknown {
    let node: unknown = this.#document?.contents
    for (const [depth, part] of path.entries()) {
      const pair = itemsOf(node).find((item, index) =>
        isPair(item) ? sourceOf(item.key) === part : index === part,
      )
      const next = isPair(pair)
        ? isKey && depth === path.length - 1
          ? pair.key
          : (pair.value ?? pair.key)
        : pair
      if (!next) return node
      node = next
    }
    return node
  }

  #positionOf(node: unknown): string {
    const offset = (node as Node | undefined)?.range?.[0] ?? 0
    const { line, col } = this.#lines.linePos(offset)
    return `${this.#file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
}

const isPair = (item: unknown): item is Pair => typeof item === 'object' && item !== null && 'key' in item
const itemsOf = (node: unknown): unknown[] =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items) ? node.items : []
const sourceOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && 'source' in node ? node.source : undefined

/** The second of two equal keys of a map, anywhere below a node. */
function repeatedKeys(node: unknown): unknown[] {
  const sources = new Set<unknown>()
  return itemsOf(node).flatMap((item) => {
    if (!isPair(item)) return repeatedKeys(item)
    const source = sourceOf(item.key)
    const isRepeated = sources.has(source)
    sources.add(source)
    return [...(isRepeated ? [item.key] : []), ...repeatedKeys(item.value)]
  })
}
