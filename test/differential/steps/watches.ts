import type { StepKind } from '../step.js'
import type { Json } from '../subjects.js'

/**
 * The marker that ends a watch matches each of these, except the selection of the first object by its name.
 */
const selections = [
  '',
  '&labelSelector=team%3Da',
  '&labelSelector=tier',
  '&labelSelector=team+notin+%28b%29',
  '&fieldSelector=metadata.name%21%3Da',
]

const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'

const watch = (query: string, weight: number): StepKind => ({
  weight,
  watches: true,
  variants: () => selections,
  call: ({ collection, step, beginning }) => ({
    method: 'GET',
    path: `${collection}?watch=true&${query.replace('BEGINNING', beginning)}${step.with}`,
  }),
})

/** Watches from the resourceVersion of an object that the client has read. */
const watchSeen: StepKind = {
  weight: 2,
  watches: true,
  variants: () => selections,
  call: ({ collection, seen, step }) => {
    if (seen === undefined) return undefined
    const version = String((seen.metadata as Json).resourceVersion)
    return { method: 'GET', path: `${collection}?watch=true&resourceVersion=${version}${step.with}` }
  },
}

const as = (form: string) => `application/json;as=${form};g=meta.k8s.io;v=v1`

const watchAs: StepKind = {
  watches: true,
  variants: () => ['PartialObjectMetadata', 'Table'],
  call: ({ collection, beginning, step }) => ({
    method: 'GET',
    path: `${collection}?watch=true&resourceVersion=${beginning}`,
    headers: { accept: as(step.with) },
  }),
}

const oddWatches = [
  'resourceVersion=one',
  'resourceVersion=1&resourceVersionMatch=Exact',
  'sendInitialEvents=true',
  'sendInitialEvents=true&resourceVersionMatch=Exact&allowWatchBookmarks=true',
  'fieldSelector=spec.nothing%3Da',
  'labelSelector=%3D',
]

/** Steps that open a watch. */
export const watches: Readonly<Record<string, StepKind>> = {
  watch: watch('resourceVersion=BEGINNING', 3),
  watchInitial: watch(initial, 2),
  watchSeen,
  watchAs,
  watchOddly: {
    variants: () => oddWatches,
    call: ({ collection, step }) => ({ method: 'GET', path: `${collection}?watch=true&${step.with}` }),
  },
}
