import type { StepOutput } from './play.js'
import type { Json } from './subjects.js'

/** The result of a sequence, without values that may differ between two equal servers. */
export interface CallOutcome {
  readonly step: string
  readonly answers: readonly unknown[]
  readonly events?: readonly unknown[]
}

const uidForm = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
const foreignUid = '11111111-2222-4333-8444-555555555555'
const generated = /\b(made-[a-c]-|p{58}|Bad_)[a-z0-9]{5}\b/g
const revisionInText = /((?:record|precondition) \(|ResourceVersion: |resource version: |current: )\d+/g
/** The error of a patch quotes the whole resulting object, with its members in another order. */
const quotedObject = /Invalid value: "\{(?:[^"\\]|\\.)*"/g
/** An address so high that the embedded server, which allocates in order, does not reach it. */
const sentAddress = '10.96.255.7'
const addressForm = /\b10\.96\.\d+\.\d+\b/g
/** Fields with a node port, in an object and in a table. */
const nodePortNames = new Set(['nodePort', 'healthCheckNodePort'])
const nodePort = /:3\d{4}\//g
/** The age in a table: the servers read their clocks at different times. */
const age = /^\d+s$/
/** An immutable pod: a real server prints the difference in Go's own types. */
const podDifference = /(pod updates may not change fields other than [^\n]*\n)[\s\S]*/
/** An immutable claim or volume: a real server prints the difference in Go's own types. */
const claimDifference =
  /(spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims\n|persistentvolumesource is immutable after creation\n)(?:[ @+-].*\n)*/g
/** The errors of an apply by the schema. */
const typedProblems = /(failed to create typed patch object \([^)]*\)): (?:errors:\n)?([\s\S]*)/
/** The certificate of a client, which differs between servers. */
const credential = /X509SHA256=[0-9a-f]{64}/g
/** A time in a message. */
const timeInText = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
/** A time in a table that is younger than this, in milliseconds, was set by the server. */
const recentMs = 600_000
const serverTimes = new Set(['creationTimestamp', 'deletionTimestamp', 'time', 'startTime'])

/**
 * Replaces resource versions by their order, UIDs and generated names by their first appearance, and the
 * server's times by a constant.
 */
export function normalise(played: readonly StepOutput[]): CallOutcome[] {
  const normaliser = new Normaliser(revisionsIn(played))
  return played.map(({ step, answers, events }) => ({
    step: JSON.stringify(step),
    answers: answers.map((answer) => normaliser.value(answer)),
    ...(events === undefined ? {} : { events: eventsOf(events).map((event) => normaliser.value(event)) }),
  }))
}

/** Normalises responses of any form, in the order in which they came. */
export function normaliseAnswers(answers: readonly unknown[]): unknown[] {
  const normaliser = new Normaliser(revisionsIn(answers))
  return answers.map((answer) => normaliser.value(answer))
}

/** On a real server it is random which events of a table contain the column definitions. */
function withoutColumns(event: unknown): unknown {
  const { object, ...rest } = Object(event) as { object?: Json }
  if (object?.kind !== 'Table') return event
  const { columnDefinitions: _columnDefinitions, ...table } = object
  return { ...rest, object: table }
}

/** Bookmarks depend on the clock, except the one that ends the initial events. */
function eventsOf(events: readonly unknown[]): unknown[] {
  return events.map(withoutColumns).filter((event) => {
    const { type, object } = Object(event) as { type?: string; object?: { metadata?: Json } }
    return type !== 'BOOKMARK' || object?.metadata?.annotations !== undefined
  })
}

/**
 * A real server checks the members of an object in random order, and stops at one that is not in the schema.
 */
function withoutOrder(_text: string, start: string, problems: string): string {
  const lines = problems.split('\n').map((line) => line.trim())
  const isCutShort = lines.some((line) => line.endsWith('field not declared in schema'))
  return `${start}: ${isCutShort ? '<fields not in the schema>' : lines.sort().join('\n')}`
}

function isRecent(text: string): boolean {
  return Math.abs(Date.parse(text) - Date.now()) < recentMs
}

/**
 * Owners are sorted by the seconds of their writes, which differ between servers. Their members have no fixed
 * order, because custom resources are maps in Go.
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

/**
 * A real server removes the policy of a Service without endpoints from its responses, but not from the events
 * of a watch.
 */
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
    if (nodePortNames.has(key) && Number(value) >= 30_000) return '<port>'
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).filter(([name]) => isCompared(name, value))
    return Object.fromEntries(members.map(([name, member]) => [name, this.value(member, name)]))
  }

  #text(text: string, key: string): string {
    if (key === 'resourceVersion') return this.#rank(text)
    if (key === 'continue') return '<token>'
    if (serverTimes.has(key) && /^\d{4}-/.test(text)) return '<time>'
    if (key === '' && isRecent(text)) return '<time>'
    return text
      .replace(credential, 'X509SHA256=<hash>')
      .replace(uidForm, (uid) => this.#uid(uid))
      .replace(quotedObject, 'Invalid value: <object>')
      .replace(addressForm, (address) => (address === sentAddress ? address : '<address>'))
      .replace(nodePort, ':<port>/')
      .replace(podDifference, '$1')
      .replace(claimDifference, '$1')
      .replace(typedProblems, withoutOrder)
      .replace(age, '<age>')
      .replace(timeInText, (time) => (isRecent(time) ? '<time>' : time))
      .replace(generated, '$1<made>')
      .replace(revisionInText, '$1<revision>')
  }

  /** A list's revision lies between two of the sequence's own writes. The position is compared. */
  #rank(revision: string): string {
    const value = Number(revision)
    if (!(value > 1)) return revision
    return `revision ${this.#revisions.findLastIndex((each) => each <= value) + 1}`
  }

  #uid(uid: string): string {
    if (uid === foreignUid) return uid
    const known = this.#uids.get(uid) ?? `uid ${this.#uids.size + 1}`
    this.#uids.set(uid, known)
    return known
  }
}
