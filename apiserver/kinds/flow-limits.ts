/** The limits of a priority level; `ValidateLimitedPriorityLevelConfiguration` of Kubernetes v1.36.3. */
import { recordOf } from '../base/object.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../validation/field-error.js'
import { checkChoice } from '../validation/values.js'

interface Shares {
  readonly nominalConcurrencyShares?: number
  readonly lendablePercent?: number
}

interface Limits extends Shares {
  readonly borrowingLimitPercent?: number
  readonly limitResponse?: { readonly type?: string; readonly queuing?: object }
}

interface QueuingLimits {
  readonly queues?: number
  readonly handSize?: number
  readonly queueLengthLimit?: number
}

const maxQueues = 10_000_000
/** A hand of queues is dealt from a hash of so many bits. */
const maxHashBits = 60
const mustNotBeNegative = 'must be a non-negative integer'

/** The errors of the shares that every level has. */
export function shareErrors(
  { nominalConcurrencyShares: shares = 0, lendablePercent: lent = 0 }: Shares,
  path: string,
): FieldError[] {
  return [...concurrencyErrors(shares, path), ...lendableErrors(lent, path)]
}

function concurrencyErrors(shares: number, path: string): FieldError[] {
  return shares < 0 ? [invalidValue(`${path}.nominalConcurrencyShares`, shares, mustNotBeNegative)] : []
}

function lendableErrors(lent: number, path: string): FieldError[] {
  const isShare = lent >= 0 && lent <= 100
  return isShare
    ? []
    : [invalidValue(`${path}.lendablePercent`, lent, 'must be between 0 and 100, inclusive')]
}

/** The errors of a level that limits requests. */
export function limitedErrors(limits: Limits, path: string): FieldError[] {
  const {
    nominalConcurrencyShares: shares = 0,
    lendablePercent: lent = 0,
    borrowingLimitPercent: borrowed = 0,
  } = limits
  return [
    ...concurrencyErrors(shares, path),
    ...responseErrors(limits.limitResponse ?? {}, `${path}.limitResponse`),
    ...lendableErrors(lent, path),
    ...(borrowed < 0
      ? [invalidValue(`${path}.borrowingLimitPercent`, borrowed, `if specified, ${mustNotBeNegative}`)]
      : []),
  ]
}

function responseErrors(
  { type = '', queuing }: NonNullable<Limits['limitResponse']>,
  path: string,
): FieldError[] {
  const field = `${path}.queuing`
  const isThere = queuing !== undefined
  const unused = 'must be nil if limited.limitResponse.type is not Limited'
  const missingText = 'must not be empty if limited.limitResponse.type is Limited'
  if (type === 'Reject') return isThere ? [forbiddenValue(field, unused)] : []
  if (type !== 'Queue') return checkChoice(`${path}.type`, type, ['Queue', 'Reject'])
  return isThere ? queuingErrors(recordOf(queuing), field) : [required(field, missingText)]
}

function queuingErrors(
  { queues = 0, handSize = 0, queueLengthLimit: limit = 0 }: QueuingLimits,
  path: string,
): FieldError[] {
  const refuse = (name: string, value: number, why: string) => [invalidValue(`${path}.${name}`, value, why)]
  const positive = 'must be positive'
  const tooManyText = `must not be greater than ${maxQueues}`
  return [
    ...(limit <= 0 ? refuse('queueLengthLimit', limit, positive) : []),
    ...(queues <= 0 ? refuse('queues', queues, positive) : []),
    ...(queues > maxQueues ? refuse('queues', queues, tooManyText) : []),
    ...handErrors(queues, handSize).flatMap((why) => refuse('handSize', handSize, why)),
  ]
}

function handErrors(queues: number, hand: number): string[] {
  if (hand <= 0) return ['must be positive']
  if (hand > queues) return [`should not be greater than queues (${queues})`]
  const bits = entropyBits(queues, hand)
  const tooManyText = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${maxHashBits}`
  return bits > maxHashBits ? [tooManyText] : []
}

/** An upper bound of the bits that choose a hand. */
function entropyBits(queues: number, hand: number): number {
  return Math.ceil(Math.log2(queues) * hand)
}
