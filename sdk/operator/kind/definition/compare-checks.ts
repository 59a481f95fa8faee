import { jsonEqual } from '../../../engine/kube/json.js'
import type { CelRule, JsonSchema } from '../schema/json-schema.js'
import type { DefinitionDifference } from './definition-difference.js'

type CheckedField = { readonly version: string; readonly path: string; readonly isRatcheted: boolean }
type Pair = { readonly before: JsonSchema; readonly after: JsonSchema }

const lowerBounds = ['minLength', 'minItems', 'minProperties', 'minimum'] as const
const upperBounds = ['maxLength', 'maxItems', 'maxProperties', 'maximum'] as const
const exactChecks = ['pattern', 'format', 'multipleOf'] as const

/** Compares the checks of a value: a value that was accepted before may be refused now. */
export function compareChecks(pair: Pair, field: CheckedField): DefinitionDifference[] {
  const narrowed = [
    ...compareBounds(pair),
    ...compareExclusive(pair),
    ...compareExact(pair),
    ...compareEnum(pair),
    ...compareAllOf(pair),
  ]
  return [...narrowed.map((message) => narrowing(message, field)), ...compareRules(pair, field)]
}

/** The difference for a narrower check. */
function narrowing(message: string, { version, path, isRatcheted }: CheckedField): DefinitionDifference {
  if (!isRatcheted) return { level: 'error', version, path, message }
  const kept = 'on Kubernetes 1.30 and later, objects keep values that it refuses until they change'
  return { level: 'warning', version, path, message: `${message}; ${kept}` }
}

function compareBounds({ before, after }: Pair): string[] {
  const raised = lowerBounds.filter((bound) => (after[bound] ?? -Infinity) > (before[bound] ?? -Infinity))
  const lowered = upperBounds.filter((bound) => (after[bound] ?? Infinity) < (before[bound] ?? Infinity))
  return [...raised, ...lowered].map((bound) => changeMessage(bound, before[bound], after[bound]))
}

function compareExclusive({ before, after }: Pair): string[] {
  const bounds = [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const
  return bounds
    .filter(
      ([bound, flag]) => before[bound] === after[bound] && after[flag] === true && before[flag] !== true,
    )
    .map(([, flag]) => changeMessage(flag, before[flag], after[flag]))
}

function compareExact({ before, after }: Pair): string[] {
  return exactChecks
    .filter((check) => after[check] !== undefined && after[check] !== before[check])
    .map((check) => changeMessage(check, before[check], after[check]))
}

function compareEnum({ before, after }: Pair): string[] {
  if (after.enum === undefined) return []
  if (before.enum === undefined) return [changeMessage('enum', undefined, after.enum)]
  const allowed = new Set(after.enum)
  const removed = before.enum.filter((value) => !allowed.has(value))
  return removed.length === 0 ? [] : [`enum no longer has ${removed.map(show).join(', ')}`]
}

/** Checks that are combined: each new one narrows. */
function compareAllOf({ before, after }: Pair): string[] {
  const oldChecks = before.allOf ?? []
  const added = (after.allOf ?? []).filter((check) => !oldChecks.some((one) => jsonEqual(one, check)))
  return added.map((check) => `a further check is added: ${show(check)}`)
}

const show = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
const changeMessage = (check: string, before: unknown, after: unknown) =>
  `${check} changes from ${show(before)} to ${show(after)}`

/** A rule about the former value is never ratcheted. */
function compareRules({ before, after }: Pair, field: CheckedField): DefinitionDifference[] {
  const oldRules = new Set((before['x-kubernetes-validations'] ?? []).map(({ rule }) => rule))
  const added = (after['x-kubernetes-validations'] ?? []).filter(({ rule }) => !oldRules.has(rule))
  return added.map(({ rule }: CelRule) => {
    const isRatcheted = field.isRatcheted && !/\boldSelf\b/.test(rule)
    return narrowing(`a rule is added: ${rule}`, { ...field, isRatcheted })
  })
}
