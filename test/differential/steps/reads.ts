import type { StepKind } from '../step.js'
import type { Json } from '../subjects.js'

const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'

const selectors = [
  'labelSelector=team%3Da',
  'labelSelector=team%21%3Da',
  'labelSelector=team',
  'labelSelector=%21team',
  'labelSelector=team+in+%28a%2Cc%29%2Ctier',
  'labelSelector=team+notin+%28b%29',
  'labelSelector=team+in',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=metadata.name%21%3Da',
  'fieldSelector=metadata.name%3Da%2Cmetadata.name%3Db',
  'fieldSelector=spec.nothing%3Da',
  'fieldSelector=a',
]

const get = (accept: string): StepKind => ({
  weight: accept === '' ? 5 : 1,
  variants: () => (accept === '' ? ['', '?resourceVersion=one'] : ['']),
  call: ({ object, step }) => ({
    method: 'GET',
    path: object + step.with,
    headers: accept === '' ? {} : { accept },
  }),
})

const list = (accept: string): StepKind => ({
  variants: () => ['', ...selectors.slice(0, 3)],
  call: ({ collection, step }) => ({
    method: 'GET',
    path: `${collection}?${step.with}`,
    headers: accept === '' ? {} : { accept },
  }),
})

const getPart: StepKind = {
  variants: ({ parts }) => parts,
  call: ({ object, step }) => ({ method: 'GET', path: `${object}/${step.with}` }),
}

/** The collection at the resourceVersion at which the client read the object. */
const listAt: StepKind = {
  variants: () => ['Exact', 'NotOlderThan', 'Wrong', ''],
  call: ({ collection, seen, step }) => {
    if (seen === undefined) return undefined
    const version = String((seen.metadata as Json).resourceVersion)
    const match = step.with === '' ? '' : `&resourceVersionMatch=${step.with}`
    return { method: 'GET', path: `${collection}?resourceVersion=${version}${match}` }
  },
}

/** Reads all pages of a list. Changes between two pages come from steps of other clients. */
const pages: StepKind = {
  weight: 2,
  pages: true,
  variants: () => ['limit=1', 'limit=2', 'limit=1&labelSelector=team', 'limit=100'],
  call: ({ collection, step }) => ({ method: 'GET', path: `${collection}?${step.with}` }),
}

const oddLists = [
  'continue=nonsense',
  'limit=-1',
  'limit=one',
  'resourceVersion=one',
  'resourceVersionMatch=Exact',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'sendInitialEvents=true',
  'timeoutSeconds=one',
]

/** Steps that read. */
export const reads: Readonly<Record<string, StepKind>> = {
  get: get(''),
  getPartial: get(partial),
  getTable: get(table),
  getPart,
  list: list(''),
  listPartial: list(partialList),
  listTable: list(table),
  listSelected: {
    weight: 2,
    variants: () => selectors,
    call: ({ collection, step }) => ({ method: 'GET', path: `${collection}?${step.with}` }),
  },
  listAt,
  pages,
  listOddly: {
    variants: () => oddLists,
    call: ({ collection, step }) => ({ method: 'GET', path: `${collection}?${step.with}` }),
  },
}
