import type { ChartFile, FileChart } from '../chart/chart.js'

/** The most keys of a chart's own values that are searched in its templates. */
const maxKeys = 1_000

/**
 * Searches words in the files of a chart. A key that occurs in no file is read by no template and described by no
 * comment. The definitions in `crds/` do not count. The templates are not executed.
 */
export class ChartWords {
  readonly #texts: readonly Uint8Array[]
  readonly #templates: readonly Uint8Array[]
  readonly #read = new Map<string, boolean>()

  constructor(chart: FileChart) {
    const files = filesOf(chart)
    this.#texts = files.map(({ data }) => data)
    this.#templates = files.filter(({ name }) => name.startsWith('templates/')).map(({ data }) => data)
  }

  /** Whether any file has the word. */
  has(word: string): boolean {
    return this.#texts.some((text) => hasWord(text, word))
  }

  /**
   * Whether a template reads a key of some map by its name; undefined if too many keys were searched, because each
   * takes a search in all templates.
   */
  isRead(key: string): boolean | undefined {
    if (!this.#read.has(key) && this.#read.size === maxKeys) return undefined
    const isIn = (text: Uint8Array) => hasWord(text, `.${key}`) || hasWord(text, `"${key}"`)
    const isRead = this.#read.get(key) ?? this.#templates.some(isIn)
    this.#read.set(key, isRead)
    return isRead
  }

  /** Whether a template uses a map as a whole, so that it may have any key. */
  isUsedWhole(key: string): boolean {
    return this.#templates.some((text) => usesWhole(text, `.${key}`))
  }

  /** Whether a template uses all values as a whole. */
  get usesAllValues(): boolean {
    return this.#templates.some((text) =>
      [...offsetsOf(text, '.Values')].some((offset) => isWholeAt(text, offset)),
    )
  }
}

const wordsOfCharts = new WeakMap<FileChart, ChartWords>()

/** The words of a chart. */
export function chartWords(chart: FileChart): ChartWords {
  const words = wordsOfCharts.get(chart) ?? new ChartWords(chart)
  wordsOfCharts.set(chart, words)
  return words
}

/** The files of a chart and of its subcharts, which may be packed. */
function filesOf({ files, subcharts }: FileChart): ChartFile[] {
  const ownFiles = files.filter(({ name }) => !/^(?:crds|charts)\//.test(name))
  return [...ownFiles, ...subcharts.flatMap(filesOf)]
}

function hasWord(text: Uint8Array, word: string): boolean {
  for (const offset of offsetsOf(text, word))
    if (!continuesWord(text[offset - 1], word) && !continuesWord(text[offset + word.length], '')) return true
  return false
}

function* offsetsOf(text: Uint8Array, word: string): Generator<number> {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  // A word cannot begin within another one that is the same.
  const next = (from: number) => bytes.indexOf(word, from)
  for (let offset = next(0); offset >= 0; offset = next(offset + word.length)) yield offset
}

/** Whether a byte continues a word to its left or right. A dot or a quote begins a new one. */
function continuesWord(byte: number | undefined, word: string): boolean {
  if (byte === undefined || /^[."]/.test(word)) return false
  return /[\w-]/.test(String.fromCharCode(byte))
}

/** The functions that print or merge all keys of a map. */
const wholeFunctions =
  /\b(?:toYaml\w*|toPrettyJson|toJson|toRawJson|toToml|range|omit|pick|keys|values|merge\w*|mustMerge\w*|deepCopy|tpl|render|list|dict|default|coalesce)\b/

/** The functions that take all values, before them and after them. */
const beforeAll =
  /\b(?:toYaml\w*|toPrettyJson|toJson|omit|pick|keys|values|range(?:\s+\$\w+\s*(?:,\s*\$\w+\s*)?:=)?)\s+\(?\$?$/
const afterAll = /^\s*\|\s*(?:toYaml|toPrettyJson|toJson)/

/** Whether `.Values` at a place are printed or listed without the name of one. */
function isWholeAt(text: Uint8Array, offset: number): boolean {
  const end = offset + '.Values'.length
  const textOf = (from: number, to: number) =>
    Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('latin1', Math.max(0, from), to)
  const after = textOf(end, end + 40)
  return !/^[\w.-]/.test(after) && (beforeAll.test(textOf(offset - 60, offset)) || afterAll.test(after))
}

/** Whether an action passes a map as a whole, without naming a key, to one of {@link wholeFunctions}. */
function usesWhole(text: Uint8Array, path: string): boolean {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  for (const offset of offsetsOf(text, path)) {
    const after = String.fromCharCode(bytes[offset + path.length] ?? 0x20)
    if (/[\w.-]/.test(after)) continue
    if (wholeFunctions.test(actionAround(bytes, offset))) return true
  }
  return false
}

/** The most bytes of an action before and after a name that are read: a large file may have it many times. */
const maxActionBytes = 500

function actionAround(bytes: Buffer, offset: number): string {
  const before = bytes.toString('latin1', Math.max(0, offset - maxActionBytes), offset)
  const after = bytes.toString('latin1', offset, offset + maxActionBytes)
  return before.slice(Math.max(0, before.lastIndexOf('{{'))) + after.split('}}', 1)[0]
}
