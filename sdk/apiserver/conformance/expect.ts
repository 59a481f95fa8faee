import { deepStrictEqual, ok } from 'node:assert/strict'
import type { StatusDetails } from '../../kube/error.js'
import type { Answer } from './cluster-under-test.js'

/** A refusal as a case expects it: every field of the Status that says something. */
export interface ExpectedStatus {
  readonly code: number
  /** Left out where the API gives none. */
  readonly reason?: string
  readonly message: string
  readonly details?: StatusDetails
}

/** One thing wrong with an object. */
export interface ExpectedCause {
  readonly field: string
  /** For example `FieldValueInvalid`. */
  readonly reason: string
  readonly message: string
}

/** An object that fails validation, as a case expects it. */
export interface ExpectedInvalid {
  readonly kind: string
  readonly group?: string
  readonly name: string
  readonly causes: readonly ExpectedCause[]
}

/** What cases check with; every function throws when the answer is another. */
export interface Expect {
  ok(value: unknown, what: string): void
  same(actual: unknown, expected: unknown): void
  /**
   * The actual value has every member of the expected one, at any depth; `undefined` means absent, a RegExp
   * is matched, a list has the same length.
   */
  has(actual: unknown, expected: unknown): void
  /** The answer has this HTTP status, and a body with these members if some are given. */
  answer(answer: Answer, status: number, body?: unknown): void
  /** The answer is a Status with exactly these fields. */
  refused(answer: Answer, expected: ExpectedStatus): void
  /** The answer is a 422 with exactly these causes, in the message too. */
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
  invalid(answer, { kind, group, name, causes }) {
    const qualified = group === undefined ? kind : `${kind}.${group}`
    const texts = causes.map(({ field, message }) => `${field}: ${message}`)
    const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
    const message = `${qualified} "${name}" is invalid: ${list}`
    const named = { ...(name === '' ? {} : { name }), ...(group === undefined ? {} : { group }), kind }
    refused(answer, { code: 422, reason: 'Invalid', message, details: { ...named, causes: [...causes] } })
  },
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

/** The actual value cut down to what the expected one speaks of. */
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
