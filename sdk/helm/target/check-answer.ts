import { dnsLabelRule, isDnsLabel } from '../../engine/kube/dns-label.js'
import { isReleaseName, maxNameLength } from '../release/release-name.js'
import { TargetError } from './target-error.js'
import type { TargetAnswer } from './target-options.js'

/** The number of characters of an answer that a message quotes; users choose the text. */
const maxQuoted = 100

const members = ['cluster', 'namespace', 'releaseName']

const nameRule = `use at most ${maxNameLength} lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit`

const correction = 'correct the function, or the fields of the object that it reads'

/** Calls a function of the program for an object. Throws {@link TargetError} if it fails or returns a promise. */
export function askFunction(option: string, ask: () => unknown): unknown {
  const answer = callFunction(option, ask)
  if (isPromise(answer)) throw invalidTargetError(`${option} answered a promise; it has to answer at once`)
  return answer
}

function callFunction(option: string, ask: () => unknown): unknown {
  try {
    return ask()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new TargetError(
      'InvalidTarget',
      `${option} failed: ${message.slice(0, maxQuoted)}; ${correction}`,
      {
        cause,
      },
    )
  }
}

const isPromise = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && typeof (answer as { then?: unknown }).then === 'function'

/** The answer of a function `target`. Throws {@link TargetError} if it is not one. */
export function asTargetAnswer(answer: unknown): TargetAnswer {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw invalidTargetError(
      `target answered ${quoted(answer)}: answer an object such as { namespace: 'team' }`,
    )
  const unknown = Object.keys(answer).find((key) => !members.includes(key))
  if (unknown !== undefined)
    throw invalidTargetError(
      `target answered the member ${quoted(unknown)}: the members are ${members.join(', ')}`,
    )
  for (const [member, value] of Object.entries(answer))
    if (value !== undefined && typeof value !== 'string')
      throw invalidTargetError(
        `target answered the ${member} ${quoted(value)}: answer a text, or leave it out`,
      )
  return answer
}

/** A name for a release. Throws {@link TargetError} if Helm does not accept it; `source` says who chose it. */
export function asReleaseName(name: unknown, source: string): string {
  if (typeof name === 'string' && isReleaseName(name)) return name
  const length =
    typeof name === 'string' && name.length > maxNameLength ? ` of ${name.length} characters` : ''
  throw invalidTargetError(
    `${source} answered the name ${quoted(name)}${length}, which Helm does not accept: ${nameRule}`,
  )
}

/** A namespace. Throws {@link TargetError} for a text that cannot be one. */
export function asNamespace(namespace: string): string {
  if (isDnsLabel(namespace)) return namespace
  throw invalidTargetError(`target answered the namespace ${quoted(namespace)}: ${dnsLabelRule}`)
}

/** The error about an answer that cannot be used. */
export const invalidTargetError = (problem: string) => new TargetError('InvalidTarget', problem)

/** A part of an answer, in a message. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= maxQuoted ? text : `${text.slice(0, maxQuoted)}…`
}
