import { deepStrictEqual, ok } from 'node:assert/strict'
import type { StatusDetails } from '../../sdk/engine/kube/error.js'
import type { Answer } from './cluster-under-test.js'

/** An expected error: every field of the Status with a value. */
export interface ExpectedStatus {
  readonly code: number
  /** Undefined if the API gives none. */
  readonly reason?: string
  readonly message: string
  readonly details?: StatusDetails
}

/** An expected error of an invalid object. */
export interface ExpectedInvalid {
  readonly kind: string
  readonly group?: string
  readonly name: string
  /** The causes, as `field: message`; the reason of each cause follows from the start of its message. */
  readonly because: readonly string[]
}

const reasons: Readonly<Record<string, string>> = {
  'Required value': 'FieldValueRequired',
  'Invalid value': 'FieldValueInvalid',
  'Unsupported value': 'FieldValueNotSupported',
  'Duplicate value': 'FieldValueDuplicate',
  Forbidden: 'FieldValueForbidden',
  'Not found': 'FieldValueNotFound',
  'Too long': 'FieldValueTooLong',
  'Too many': 'FieldValueTooMany',
}

/** The checks of the cases. Each throws if the answer differs. */
export interface Expect {
  ok(value: unknown, what: string): void
  same(actual: unknown, expected: unknown): void
  /**
   * The actual value has every member of the expected one, at any depth. `undefined` means absent, a RegExp
   * is matched, a list has the same length.
   */
  has(actual: unknown, expected: unknown): void
  /** The answer has this HTTP status, and a body with these members if given. */
  answer(answer: Answer, status: number, body?: unknown): void
  /** The answer is a Status with exactly these fields. */
  refused(answer: Answer, expected: ExpectedStatus): void
  /** The answer is the 404 of an object; the resource is `plural` or `plural.group`. */
  notFound(answer: Answer, resource: string, name: string): void
  /** The answer is a 422 with exactly these causes, also in the message. */
  invalid(answer: Answer, expected: ExpectedInvalid): void
}

/** The checks, on `node:assert`. */
export const expect: Expect = {
  ok,
  same: deepStrictEqual,
  has,
  answer(answer, status, body) {
    if (answer.status !== status) has({ status: answer.status, body: answer.text }, { status })
    if (body !== undefined) has(answer.body, body)
  },
  refused,
  notFound(answer, resource, name) {
    const [plural, group] = splitResource(resource)
    const details = { name, ...(group === '' ? {} : { group }), kind: plural }
    refused(answer, { code: 404, reason: 'NotFound', message: `${resource} "${name}" not found`, details })
  },
  invalid(answer, { kind, group, name, because }) {
    const qualified = group === undefined ? kind : `${kind}.${group}`
    // A list of errors contains each only once, but the causes repeat it.
    const [first, ...others] = new Set(because)
    const list = others.length === 0 ? first : `[${[first, ...others].join(', ')}]`
    const named = { ...(name === '' ? {} : { name }), ...(group === undefined ? {} : { group }), kind }
    const message = `${qualified} "${name}" is invalid: ${list}`
    const details = { ...named, causes: because.map(causeOf) }
    refused(answer, { code: 422, reason: 'Invalid', message, details })
  },
}

function splitResource(resource: string): [plural: string, group: string] {
  const [plural = '', ...group] = resource.split('.')
  return [plural, group.join('.')]
}

function causeOf(text: string): { reason: string; message: string; field: string } {
  const [field = '', message = ''] = /^(\S+): (.*)$/s.exec(text)?.slice(1) ?? []
  // A schema's error about a type starts like any invalid value.
  if (message.includes('in body must be of type')) return { reason: 'FieldValueTypeInvalid', message, field }
  const beginning = Object.keys(reasons).find((start) => message.startsWith(start)) ?? ''
  // The only reason whose message starts like that of another.
  const isType = message.includes(' in body must be of type ')
  return { reason: isType ? 'FieldValueTypeInvalid' : (reasons[beginning] ?? ''), message, field }
}

function has(actual: unknown, expected: unknown): void {
  deepStrictEqual(likeness(actual, expected), expected)
}

function refused(answer: Answer, expected: ExpectedStatus): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...expected }
  const { body } = answer
  deepStrictEqual(
    { http: answer.status, body: body.kind === undefined ? answer.text : body },
    { http: expected.code, body: status },
  )
}

/** The parts of the actual value that the expected one has. */
function likeness(actual: unknown, expected: unknown): unknown {
  if (expected instanceof RegExp)
    return typeof actual === 'string' && expected.test(actual) ? expected : actual
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((element, at) => (at < expected.length ? likeness(element, expected[at]) : element))
  }
  if (!isRecord(expected) || !isRecord(actual)) return actual
  const members = Object.keys(expected).map((name) => [name, likeness(actual[name], expected[name])])
  return Object.fromEntries(members)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
