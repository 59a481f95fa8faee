import type { StepKind } from '../step.js'
import type { Json } from '../subjects.js'

const unknownUid = '11111111-2222-4333-8444-555555555555'

const options: Readonly<Record<string, Json>> = {
  background: { propagationPolicy: 'Background' },
  foreground: { propagationPolicy: 'Foreground' },
  orphan: { propagationPolicy: 'Orphan' },
  oldOrphan: { orphanDependents: true },
  wrongPolicy: { propagationPolicy: 'Sideways' },
  bothPolicies: { propagationPolicy: 'Orphan', orphanDependents: true },
  wrongUid: { preconditions: { uid: unknownUid } },
  wrongVersion: { preconditions: { resourceVersion: '1' } },
  now: { gracePeriodSeconds: 0 },
  later: { gracePeriodSeconds: 30 },
  never: { gracePeriodSeconds: -1 },
  dryRun: { dryRun: ['All'] },
  dryRunWrong: { dryRun: ['Some'] },
  unknownField: { surprise: true },
  otherKind: { kind: 'Secret', apiVersion: 'v1' },
}

/** Deletes with options in the body. */
const deleteWith: StepKind = {
  weight: 3,
  variants: () => Object.keys(options),
  call: ({ object, step }) => ({ method: 'DELETE', path: object, body: options[step.with] }),
}

/** Deletes the object that the client has read, by its UID or resourceVersion. */
const deleteSeen: StepKind = {
  weight: 2,
  variants: () => ['uid', 'resourceVersion', 'both'],
  call: ({ object, seen, step }) => {
    if (seen === undefined) return undefined
    const { uid, resourceVersion } = seen.metadata as Json
    const all: Record<string, Json> = { uid: { uid }, resourceVersion: { resourceVersion } }
    return {
      method: 'DELETE',
      path: object,
      body: { preconditions: all[step.with] ?? { uid, resourceVersion } },
    }
  },
}

const queries = ['', '?gracePeriodSeconds=0', '?propagationPolicy=Background', '?dryRun=All', '?dryRun=Some']

const collectionQueries = [
  '?labelSelector=team%3Da',
  '?labelSelector=team',
  '?fieldSelector=metadata.name%3Da',
  '?labelSelector=team%3Db&dryRun=All',
  '?labelSelector=%3D',
  '?fieldSelector=spec.nothing%3Da',
]

/** Steps that delete. */
export const deletes: Readonly<Record<string, StepKind>> = {
  delete: {
    weight: 5,
    variants: () => queries,
    call: ({ object, step }) => ({ method: 'DELETE', path: object + step.with }),
  },
  deleteWith,
  deleteSeen,
  deleteCollection: {
    weight: 2,
    variants: () => collectionQueries,
    call: ({ collection, step }) => ({ method: 'DELETE', path: collection + step.with }),
  },
}
