import * as fc from 'fast-check'
import { isExcluded } from './known-differences.js'
import { subjects } from './resources.js'
import type { Step, StepKind } from './step.js'
import { stepKinds } from './steps/index.js'
import type { Subject } from './subjects.js'

const maxSteps = 24

/** Few clients and few names, so that they conflict. */
const clients = fc.constantFrom(0, 1, 2)
const names = fc.oneof(
  { weight: 5, arbitrary: fc.constant('a') },
  { weight: 3, arbitrary: fc.constant('b') },
  { weight: 1, arbitrary: fc.constant('c') },
)

/** Sequences for one resource each. */
export const sequences: fc.Arbitrary<Step[]> = fc.oneof(...subjects.map(sequenceOf))

function sequenceOf(subject: Subject): fc.Arbitrary<Step[]> {
  const steps = Object.entries(stepKinds).flatMap(([name, kind]) => stepOf(name, kind, subject))
  return fc.array(fc.oneof(...steps), { minLength: 1, maxLength: maxSteps, size: 'max' }).map(generatingOnce)
}

/** Two generated names with the same prefix have a random order, so only one is kept. */
function generatingOnce(steps: readonly Step[]): Step[] {
  const prefixes = new Set<string>()
  return steps.filter((step) => {
    if (step.do !== 'generate') return true
    const prefix = step.with.endsWith('Prefix') ? step.with : step.name
    return !prefixes.has(prefix) && prefixes.add(prefix)
  })
}

function stepOf(name: string, kind: StepKind, subject: Subject): fc.WeightedArbitrary<Step>[] {
  const variants = kind.variants(subject).filter((variant) => !isExcluded(subject.plural, name, variant))
  if (variants.length === 0) return []
  const arbitrary = fc.record({
    do: fc.constant(name),
    by: clients,
    resource: fc.constant(subject.plural),
    name: names,
    with: fc.constantFrom(...variants),
  })
  return [{ weight: kind.weight ?? 1, arbitrary }]
}
