import { formatKey, type Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { ControllerInspection, InspectedController } from './inspected-controller.js'
import type { PairState, PairView } from './pair-model.js'
import type { Recorder } from './recorder.js'
import { keyProblem, unfinishedState } from './unfinished-state.js'

/** A key of a controller, its state, and its object if it exists. */
export function controlledView(
  running: InspectedController,
  key: Key,
  recorder: Recorder,
): { view: PairView & { cluster: string }; object: KubeObject | undefined } {
  const { resource, cluster, deployedRelease, waitsFor } = running.inspection
  const object = cluster.store(resource).get(key)
  const state = running.stateOf(key)
  const lastRun = recorder.lastRun(running, key)
  const view = {
    ...key,
    syncer: running.name,
    kind: resource.kind,
    cluster: cluster.name,
    host: null,
    hasVirtual: object !== undefined,
    hasHost: false,
    state: unfinishedState(state, lastRun) ?? settledState(running.inspection, object),
    problem: keyProblem(state, lastRun) ?? (object && waitsFor(object)[0]) ?? null,
    failures: state.failures,
    dueInMs: state.dueInMs ?? null,
    release: object ? deployedRelease(object) : null,
  } as const
  return { view, object }
}

function settledState(
  { isPaused, waitsFor }: ControllerInspection,
  object: KubeObject | undefined,
): PairState {
  if (!object) return 'in sync'
  if (isPaused(object)) return 'left alone'
  const isOnItsWay = object.metadata.deletionTimestamp !== undefined || waitsFor(object).length > 0
  return isOnItsWay ? 'pending' : 'in sync'
}

/** The name of an object in messages: `Backup default/daily`. */
export const nameOf = ({ kind, ...key }: Pick<PairView, 'kind' | 'namespace' | 'name'>) =>
  `${kind} ${formatKey(key)}`
