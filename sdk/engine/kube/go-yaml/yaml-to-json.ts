import type { Alias, Document, Node, Pair, Scalar, YAMLMap } from 'yaml'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type YAMLParseError } from 'yaml'
import { checkYamlSize } from '../yaml-size.js'
import { withoutLastBreak } from './last-break.js'
import { namedNodes } from './named-nodes.js'
import { type JsonText, plainScalar } from './plain-scalar.js'

/** A YAML document as JSON. */
export interface ConvertedYaml {
  /** The JSON to which a kube-apiserver converts YAML before anything else. */
  readonly json: JsonText
  /** A message for each duplicate key; the last value counts. */
  readonly repeated: readonly string[]
}

/**
 * Converts the first YAML document of a text, `null` if there is none; others are ignored. Throws `SyntaxError` with
 * the errors of Go's parser where they are known, and for a text with more values than fit in memory.
 */
export function yamlToJson(text: string): ConvertedYaml {
  checkYamlSize(text)
  const lines = new LineCounter()
  // A pretty error quotes its line, which takes the square of the time for a long line of errors.
  const options = { ...quiet, schema: 'failsafe', uniqueKeys: false, lineCounter: lines } as const
  const documents = parseAllDocuments(text, options)
  const document = Array.isArray(documents) ? documents[0] : undefined
  if (!document) return { json: 'null', repeated: [] }
  const [problem] = document.errors
  if (problem) throw new SyntaxError(`yaml: ${goErrorText(problem, lines)}`)
  return new Converter(document, { lines, text }).convert()
}

const quiet = { logLevel: 'silent', prettyErrors: false } as const

/** Go's error texts by the parser's error code. */
const goWords: Readonly<Record<string, string>> = {
  BAD_SCALAR_START: 'found character that cannot start any token',
  TAB_AS_INDENT: 'found character that cannot start any token',
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  MISSING_CHAR: 'did not find expected key',
  BAD_DQ_ESCAPE: 'found unknown escape character',
}

function goErrorText({ code, message, pos }: YAMLParseError, lines: LineCounter): string {
  const { line } = lines.linePos(pos[0])
  const [sentence = ''] = message.split('\n')
  return `line ${line || 1}: ${goWords[code] ?? sentence}`
}

/** The maximum number of values, because aliases let a short text expand to more than fits in memory. */
const maxValues = 1_000_000
/** The maximum number of characters of all scalars, for the same reason. */
const maxCharacters = 2 ** 26

class Converter {
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #text: string
  readonly #repeated: string[] = []
  #values = 0
  #characters = 0
  #named: ReadonlyMap<Alias, Node> | undefined

  constructor(document: Document, { lines, text }: { readonly lines: LineCounter; readonly text: string }) {
    this.#document = document
    this.#lines = lines
    this.#text = text
  }

  convert(): ConvertedYaml {
    return { json: this.#valueOf(this.#document.contents), repeated: this.#repeated }
  }

  #valueOf(node: unknown): JsonText {
    this.#count(isScalar(node) ? (node.source ?? '').length : 0)
    if (isAlias(node)) return this.#valueOf(this.#nodeOf(node))
    if (isMap(node)) return this.#objectOf(node)
    if (isSeq(node)) return `[${node.items.map((item) => this.#itemOf(item)).join(',')}]`
    return isScalar(node) ? scalarOf(withoutLastBreak(node, this.#text)) : 'null'
  }

  #count(characters: number): void {
    this.#values++
    this.#characters += characters
    if (this.#values > maxValues || this.#characters > maxCharacters)
      throw new SyntaxError('yaml: document contains excessive aliasing')
  }

  /** A pair in a list is a map: `[a: 1]`. */
  #itemOf(item: unknown): JsonText {
    if (typeof item !== 'object' || item === null || !('key' in item)) return this.#valueOf(item)
    const { key, value } = item as Pair
    return `{${JSON.stringify(this.#keyOf(key, value))}:${this.#valueOf(value)}}`
  }

  #nodeOf(alias: Alias): Node {
    this.#named ??= namedNodes(this.#document)
    const node = this.#named.get(alias)
    if (node) return node
    throw new SyntaxError(`yaml: unknown anchor '${alias.source}' referenced`)
  }

  #objectOf(map: YAMLMap): JsonText {
    const members = new Map<string, JsonText>()
    const merged = new Map<string, JsonText>()
    for (const { key, value } of map.items) {
      if (isMerge(key)) for (const [name, text] of this.#mergedFrom(value)) merged.set(name, text)
      else this.#add(members, key, value)
    }
    const all = [...members, ...[...merged].filter(([name]) => !members.has(name))]
    return `{${all.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
  }

  #add(members: Map<string, JsonText>, key: unknown, value: unknown): void {
    const name = this.#keyOf(key, value)
    // Go names the line of the value.
    if (members.has(name))
      this.#repeated.push(`line ${this.#lineOf(value ?? key)}: key ${shownKey(key, name)} already set in map`)
    members.set(name, this.#valueOf(value))
  }

  /** The maps in `<<`, the first one last, because it has precedence. */
  #mergedFrom(value: unknown): [string, JsonText][] {
    this.#count(0)
    const node = isAlias(value) ? this.#nodeOf(value) : value
    if (isSeq(node)) return [...node.items].reverse().flatMap((item) => this.#mergedFrom(item))
    if (!isMap(node)) throw new SyntaxError('yaml: map merge requires map or sequence of maps as the value')
    return node.items.flatMap(({ key, value: inner }): [string, JsonText][] =>
      isMerge(key) ? this.#mergedFrom(inner) : [[this.#keyOf(key, inner), this.#valueOf(inner)]],
    )
  }

  /** Booleans and numbers can be keys, too. */
  #keyOf(key: unknown, value: unknown): string {
    const node = isAlias(key) ? this.#nodeOf(key) : key
    if (!isScalar(node)) throw new SyntaxError('yaml: invalid map key: a map or a list')
    const text = scalarOf(node)
    if (text.startsWith('"')) return JSON.parse(text)
    if (text !== 'null') return text
    const shown = isScalar(value) ? scalarOf(value) : '<nil>'
    throw new SyntaxError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`)
  }

  #lineOf(node: unknown): number {
    const { range } = node as Node
    return this.#lines.linePos(range?.[0] ?? 0).line
  }
}

const isMerge = (key: unknown) => isScalar(key) && key.type === 'PLAIN' && key.source === '<<'

function shownKey(key: unknown, name: string): string {
  return isScalar(key) && scalarOf(key) === name ? name : JSON.stringify(name)
}

const corePrefix = 'tag:yaml.org,2002:'

function scalarOf(node: Scalar): JsonText {
  const { tag, type } = node
  const text = node.source ?? ''
  const isPlain = type === 'PLAIN' || type === undefined
  if (tag === undefined) return (isPlain ? plainScalar(text) : undefined) ?? JSON.stringify(text)
  if (!tag.startsWith(corePrefix)) return JSON.stringify(text)
  return convertTagged(tag.slice(corePrefix.length), text)
}

function convertTagged(tag: string, text: string): JsonText {
  if (tag === 'binary') return JSON.stringify(decodeBinary(text))
  if (tag === 'null') return 'null'
  if (!['int', 'float', 'bool'].includes(tag)) return JSON.stringify(text)
  const value = plainScalar(text) ?? JSON.stringify(text)
  const goTag = goTagOf(value)
  if (goTag === tag || (tag === 'float' && goTag === 'int')) return value
  throw new SyntaxError(`yaml: cannot decode !!${goTag} \`${text}\` as a !!${tag}`)
}

function goTagOf(json: JsonText): string {
  if (json === 'null') return 'null'
  if (json === 'true' || json === 'false') return 'bool'
  if (json.startsWith('"')) return 'str'
  return /^-?\d+$/.test(json) ? 'int' : 'float'
}

function decodeBinary(text: string): string {
  const compact = text.replace(/\s+/g, '')
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact))
    return Buffer.from(compact, 'base64').toString('utf8')
  throw new SyntaxError('yaml: !!binary value contains invalid base64 data')
}
