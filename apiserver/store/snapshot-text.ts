// The content of a store as text, so that a later server can go on with it.
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { Entry } from './entry.js'
import type { StoreSnapshot } from './store.js'

/** The version of the text format. Increase it if the format of the lines changes. */
const format = 1

/**
 * Writes a snapshot: a line with the revision of the store, then a line for each object. It contains Secrets as they
 * are.
 */
export function writeStoreSnapshot({ revision, entries }: StoreSnapshot): string {
  const lines = [JSON.stringify({ format, revision })]
  for (const [storage, each] of entries)
    for (const { key, revision: entryRevision, version, text } of each) {
      const headText = JSON.stringify({ storage, key, revision: entryRevision, version })
      lines.push(`${headText.slice(0, -1)},"object":${text}}`)
    }
  return `${lines.join('\n')}\n`
}

/** Reads a snapshot. Throws an `Error` with the number of a damaged line, never with its content. */
export function readStoreSnapshot(text: string): StoreSnapshot {
  const [first = '', ...entryLines] = text.split('\n')
  const { format: actualFormat, revision } = readLine(first, 1)
  if (actualFormat !== format)
    throw new Error(`line 1: the format is ${String(actualFormat)}, and this version reads ${format}`)
  if (entryLines.pop() !== '') throw new Error(`line ${entryLines.length + 2}: the end is missing`)
  const entries = new Map<string, Entry[]>()
  for (const [index, line] of entryLines.entries()) {
    const { storage, entry } = readEntry(line, index + 2)
    const each = entries.get(storage) ?? []
    entries.set(storage, each)
    each.push(entry)
  }
  return { revision: checkRevision(revision, 1), entries }
}

function readEntry(text: string, number: number): { storage: string; entry: Entry } {
  const { storage, key, version, object, revision } = readLine(text, number)
  const isVersion = version === undefined || typeof version === 'string'
  if (typeof storage !== 'string' || typeof key !== 'string' || !isVersion || !isKubeObject(object))
    throw new Error(`line ${number}: not an object of a cluster`)
  return { storage, entry: new Entry(key, object, checkRevision(revision, number), version) }
}

function readLine(text: string, number: number): Readonly<Record<string, unknown>> {
  try {
    return Object(parseJson(text))
  } catch (error) {
    throw new Error(`line ${number}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkRevision(value: unknown, number: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`line ${number}: no revision`)
}

function isKubeObject(value: unknown): value is KubeObject {
  return typeof Object(value).metadata === 'object'
}
