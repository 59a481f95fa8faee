import { applyMergePatch } from '../../../apiserver/patch/merge-patch.js'
import { cloneJson } from '../../../sdk/engine/kube/json.js'
import type { StepKind, StepState } from '../step.js'
import type { Json, Subject } from '../subjects.js'

const bodiesOf = ({ bodies }: Subject) => Object.keys(bodies)
const changesOf = ({ changes }: Subject) => Object.keys(changes)

/** The named body as an object of the subject, with the step's name unless it has a name. */
export function bodyOf({ subject, step }: StepState, variant: string): Json {
  const body = cloneJson(subject.bodies[variant]) ?? {}
  const { metadata } = body
  const named = Array.isArray(metadata) ? metadata : { name: step.name, ...(metadata as object | undefined) }
  return { apiVersion: subject.apiVersion, kind: subject.kind, ...body, metadata: named }
}

function create(query = '', weight = 1): StepKind {
  return {
    weight,
    variants: bodiesOf,
    call: (state) => ({
      method: 'POST',
      path: `${state.collection}${query}`,
      body: bodyOf(state, state.step.with),
    }),
  }
}

/** A separate prefix for each name and client keeps generated names in the same order on both servers. */
const generate: StepKind = {
  variants: () => ['plain', 'team', 'dryRun', 'longPrefix', 'badPrefix'],
  call: (state) => {
    const { step } = state
    const prefixes: Record<string, string> = { longPrefix: `${'p'.repeat(80)}-`, badPrefix: 'Bad_' }
    const generateName = prefixes[step.with] ?? `made-${step.name}-`
    const metadata = { generateName, ...(step.with === 'team' ? { labels: { team: 'a' } } : {}) }
    const query = step.with === 'dryRun' ? '?dryRun=All' : ''
    return { method: 'POST', path: state.collection + query, body: { ...bodyOf(state, 'plain'), metadata } }
  },
}

function replace(query = '', weight = 1): StepKind {
  return {
    weight,
    variants: bodiesOf,
    call: (state) => ({ method: 'PUT', path: state.object + query, body: bodyOf(state, state.step.with) }),
  }
}

/** Replaces the object that the client has read, which others may have changed. */
function replaceSeen({ part = '', query = '', weight = 1 }): StepKind {
  return {
    weight,
    variants: (subject) => (part === '' || subject.parts.includes(part.slice(1)) ? changesOf(subject) : []),
    call: ({ seen, object, subject, step }) => {
      if (seen === undefined) return undefined
      const body = applyMergePatch(seen, subject.changes[step.with])
      return { method: 'PUT', path: object + part + query, body }
    },
  }
}

/** Steps that create and replace objects. */
export const writes: Readonly<Record<string, StepKind>> = {
  create: create('', 8),
  createDry: create('?dryRun=All'),
  createStrict: create('?fieldValidation=Strict'),
  createAs: create('?fieldManager=someone'),
  generate,
  replace: replace('', 2),
  replaceDry: replace('?dryRun=All'),
  replaceStrict: replace('?fieldValidation=Strict'),
  update: replaceSeen({ weight: 6 }),
  updateDry: replaceSeen({ query: '?dryRun=All' }),
  updateStrict: replaceSeen({ query: '?fieldValidation=Strict' }),
  updateStatus: replaceSeen({ part: '/status', weight: 2 }),
}
