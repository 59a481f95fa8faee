import type { Played } from './play.js'
import type { Json } from './subjects.js'

/** What a sequence came to, without what may differ between two servers that behave alike. */
export interface Outcome {
  readonly step: string
  readonly answers: readonly unknown[]
  readonly events?: readonly unknown[]
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
const STRANGER = '11111111-2222-4333-8444-555555555555'
const GENERATED = /\b(made-[a-c]-|p{58}|Bad_)[a-z0-9]{5}\b/g
const REVISION_IN_TEXT = /((?:record|precondition) \(|ResourceVersion: |resource version: |current: )\d+/g
/** A refused patch is quoted with the whole object it would make, whose members come in another order. */
const QUOTED_OBJECT = /Invalid value: "\{(?:[^"\\]|\\.)*"/g
/** So far up that the embedded server, which counts, does not come to it. */
const SENT_ADDRESS = '10.96.255.7'
const ADDRESS = /\b10\.96\.\d+\.\d+\b/g
/** A port of the nodes, alone and in a table. */
const NODE_PORT_NAMES = new Set(['nodePort', 'healthCheckNodePort'])
const NODE_PORT = /:3\d{4}\//g
/** The age in a table: both servers do not look at their clocks at once. */
const AGE = /^\d+s$/
/** A pod that may not change so is told the difference as Go prints its own types. */
const POD_DIFFERENCE = /(pod updates may not change fields other than [^\n]*\n)[\s\S]*/
/** A claim or volume that may not change so is told the difference as Go prints its own types. */
const CLAIM_DIFFERENCE =
  /(spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims\n|persistentvolumesource is immutable after creation\n)(?:[ @+-].*\n)*/g
/** What the schema of an apply refuses. */
const TYPED_PROBLEMS = /(failed to create typed patch object \([^)]*\)): (?:errors:\n)?([\s\S]*)/
/** The certificate of a client, of which each server has its own. */
const CREDENTIAL = /X509SHA256=[0-9a-f]{64}/g
/** A time in a sentence. */
const TIME_IN_TEXT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
/** A time in a table is the server's own when it is as young as this. */
const RECENT_MS = 600_000
const SERVER_TIMES = new Set(['creationTimestamp', 'deletionTimestamp', 'time', 'startTime'])

/** Resource versions by their order, UIDs and invented names by their first appearance, the server's times by none. */
export function normalise(played: readonly Played[]): Outcome[] {
  const normaliser = new Normaliser(revisionsIn(played))
  return played.map(({ step, answers, events }) => ({
    step: JSON.stringify(step),
    answers: answers.map((answer) => normaliser.value(answer)),
    ...(events === undefined ? {} : { events: eventsOf(events).map((event) => normaliser.value(event)) }),
  }))
}

/** Answers of any form, in the order in which they came, without what may differ between two servers. */
export function normaliseAnswers(answers: readonly unknown[]): unknown[] {
  const normaliser = new Normaliser(revisionsIn(answers))
  return answers.map((answer) => normaliser.value(answer))
}

/** Which events of a table say what its columns are is a matter of chance on a real server. */
function withoutColumns(event: unknown): unknown {
  const { object, ...rest } = Object(event) as { object?: Json }
  if (object?.kind !== 'Table') return event
  const { columnDefinitions: _columnDefinitions, ...table } = object
  return { ...rest, object: table }
}

/** Bookmarks come by the clock, except the one that ends the initial events. */
function eventsOf(events: readonly unknown[]): unknown[] {
  return events.map(withoutColumns).filter((event) => {
    const { type, object } = Object(event) as { type?: string; object?: { metadata?: Json } }
    return type !== 'BOOKMARK' || object?.metadata?.annotations !== undefined
  })
}

/**
 * A real server looks at the members of an object in an order of chance, and at none after one that the schema does
 * not have.
 */
function withoutOrder(_text: string, start: string, problems: string): string {
  const lines = problems.split('\n').map((line) => line.trim())
  const isCutShort = lines.some((line) => line.endsWith('field not declared in schema'))
  return `${start}: ${isCutShort ? '<fields not in the schema>' : lines.sort().join('\n')}`
}

function isRecent(text: string): boolean {
  return Math.abs(Date.parse(text) - Date.now()) < RECENT_MS
}

/**
 * Owners stand in the order of the seconds in which they wrote, which are not the same on both servers; and their
 * members in no order of their own, because custom resources are maps in Go.
 */
function inOwnOrder(managedFields: unknown[]): unknown[] {
  const texts = managedFields.map((entry) => JSON.stringify(sorted(entry))).sort()
  return texts.map((text) => JSON.parse(text))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function revisionsIn(played: readonly unknown[]): number[] {
  const found = new Set<number>()
  const waiting: unknown[] = [...played]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const { uid, resourceVersion } = value as Json
    if (uid !== undefined && Number(resourceVersion) > 1) found.add(Number(resourceVersion))
    waiting.push(...Object.values(value).filter((member) => member !== undefined))
  }
  return [...found].sort((a, b) => a - b)
}

/** A real server takes the policy of what leads nowhere off its answers, and leaves it in the events of a watch. */
function isCompared(name: string, { type }: { readonly type?: unknown }): boolean {
  return name !== 'internalTrafficPolicy' || type !== 'ExternalName'
}

class Normaliser {
  readonly #revisions: readonly number[]
  readonly #uids = new Map<string, string>()

  constructor(revisions: readonly number[]) {
    this.#revisions = revisions
  }

  value(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return this.#text(value, key)
    if (key === 'managedFields' && Array.isArray(value))
      return inOwnOrder(value.map((item) => this.value(item)))
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (NODE_PORT_NAMES.has(key) && Number(value) >= 30_000) return '<port>'
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).filter(([name]) => isCompared(name, value))
    return Object.fromEntries(members.map(([name, member]) => [name, this.value(member, name)]))
  }

  #text(text: string, key: string): string {
    if (key === 'resourceVersion') return this.#rank(text)
    if (key === 'continue') return '<token>'
    if (SERVER_TIMES.has(key) && /^\d{4}-/.test(text)) return '<time>'
    if (key === '' && isRecent(text)) return '<time>'
    return text
      .replace(CREDENTIAL, 'X509SHA256=<hash>')
      .replace(UID, (uid) => this.#uid(uid))
      .replace(QUOTED_OBJECT, 'Invalid value: <object>')
      .replace(ADDRESS, (address) => (address === SENT_ADDRESS ? address : '<address>'))
      .replace(NODE_PORT, ':<port>/')
      .replace(POD_DIFFERENCE, '$1')
      .replace(CLAIM_DIFFERENCE, '$1')
      .replace(TYPED_PROBLEMS, withoutOrder)
      .replace(AGE, '<age>')
      .replace(TIME_IN_TEXT, (time) => (isRecent(time) ? '<time>' : time))
      .replace(GENERATED, '$1<made>')
      .replace(REVISION_IN_TEXT, '$1<revision>')
  }

  /** A list's revision lies somewhere between two of our own writes; which two is what counts. */
  #rank(revision: string): string {
    const value = Number(revision)
    if (!(value > 1)) return revision
    return `revision ${this.#revisions.findLastIndex((each) => each <= value) + 1}`
  }

  #uid(uid: string): string {
    if (uid === STRANGER) return uid
    const known = this.#uids.get(uid) ?? `uid ${this.#uids.size + 1}`
    this.#uids.set(uid, known)
    return known
  }
}
