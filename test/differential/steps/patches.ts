import type { StepKind } from '../step.js'
import type { Subject } from '../subjects.js'
import { bodyOf } from './writes.js'

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

const operations: Readonly<Record<string, unknown>> = {
  test: [{ op: 'test', path: '/metadata/name', value: 'a' }],
  testFails: [{ op: 'test', path: '/metadata/name', value: 'nobody' }],
  testMissing: [{ op: 'test', path: '/metadata/labels/none', value: null }],
  addLabels: [{ op: 'add', path: '/metadata/labels', value: { team: 'a' } }],
  addLabel: [{ op: 'add', path: '/metadata/labels/team', value: 'b' }],
  removeLabel: [{ op: 'remove', path: '/metadata/labels/team' }],
  replaceLabel: [{ op: 'replace', path: '/metadata/labels/team', value: 'a' }],
  addFinalizer: [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/hold' }],
  removeFinalizer: [{ op: 'remove', path: '/metadata/finalizers/0' }],
  moveLabels: [{ op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }],
  copyName: [{ op: 'copy', from: '/metadata/name', path: '/metadata/labels/name' }],
  rename: [{ op: 'replace', path: '/metadata/name', value: 'renamed' }],
  badOperation: [{ op: 'turn', path: '/metadata' }],
  badPath: [{ op: 'add', path: 'metadata', value: 1 }],
  noValue: [{ op: 'add', path: '/metadata/labels' }],
  nothing: [],
  notAList: { op: 'test', path: '' },
  whole: [{ op: 'replace', path: '', value: { kind: 'Other' } }],
}

const jsonPatch: StepKind = {
  weight: 4,
  variants: () => Object.keys(operations),
  call: ({ object, step }) => ({
    method: 'PATCH',
    path: object,
    headers: { 'content-type': types.json },
    body: operations[step.with],
  }),
}

interface PatchOptions {
  readonly part?: string
  readonly query?: string
  readonly weight?: number
}

/** A patch with the subject's changes; a strategic one also with its directives. */
function patch(type: 'merge' | 'strategic', { part = '', query = '', weight = 1 }: PatchOptions): StepKind {
  const bodiesOf = ({ changes, strategic }: Subject) =>
    type === 'merge' ? changes : { ...changes, ...strategic }
  return {
    weight,
    variants: (subject) =>
      part === '' || subject.parts.includes(part) ? Object.keys(bodiesOf(subject)) : [],
    call: ({ object, subject, step }) => ({
      method: 'PATCH',
      path: `${object}${part === '' ? '' : `/${part}`}${query}`,
      headers: { 'content-type': types[type] },
      body: bodiesOf(subject)[step.with],
    }),
  }
}

/** Each client applies with its own field manager. */
function apply(query: string, weight: number): StepKind {
  return {
    weight,
    variants: ({ bodies }) => Object.keys(bodies),
    call: (state) => ({
      method: 'PATCH',
      path: `${state.object}?fieldManager=client-${state.step.by}${query}`,
      headers: { 'content-type': types.apply },
      body: bodyOf(state, state.step.with),
    }),
  }
}

/** Invalid media types for a patch, and an apply without a field manager. */
const mistyped: StepKind = {
  variants: () => ['application/json', 'text/plain', 'application/apply-patch+yaml'],
  call: ({ object, step }) => ({
    method: 'PATCH',
    path: object,
    headers: { 'content-type': step.with },
    body: {},
  }),
}

/** Steps that patch. */
export const patches: Readonly<Record<string, StepKind>> = {
  jsonPatch,
  mergePatch: patch('merge', { weight: 6 }),
  mergePatchDry: patch('merge', { query: '?dryRun=All' }),
  mergePatchStrict: patch('merge', { query: '?fieldValidation=Strict' }),
  mergePatchStatus: patch('merge', { part: 'status', weight: 2 }),
  strategicPatch: patch('strategic', { weight: 4 }),
  strategicPatchStatus: patch('strategic', { part: 'status', weight: 2 }),
  mistyped,
  apply: apply('', 4),
  applyForce: apply('&force=true', 2),
  applyDry: apply('&dryRun=All', 1),
}
