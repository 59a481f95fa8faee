import type { Key } from '../kube/key.js'
import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { apiVersionOf } from '../kube/resource.js'
import { conditionsOf, readyProblem } from './conditions.js'
import { controlledView, nameOf } from './controlled-view.js'
import type { ControllerExplanation, OwnedView } from './controller-explanation.js'
import { type ControllerFacts, controllerSummary, waitsFor } from './controller-summary.js'
import { eventsOf } from './events-of.js'
import { noFacts } from './fact-view.js'
import type { InspectedWork } from './inspected.js'
import type { ControllerInspection, InspectedController, InspectedKind } from './inspected-controller.js'
import { ownedTree } from './owned-tree.js'
import type { RecordedObject, Recorder } from './recorder.js'
import { redacted } from './redact.js'
import { sortedYaml } from './sorted-yaml.js'

/** The largest number of owned objects that the page shows. */
const maxOwned = 200

/** An object that the object of the key owns. */
type Owned = InspectedKind & { readonly object: KubeObject }

/** Options of {@link explainController}. */
export interface ExplainControllerOptions extends Pick<InspectedWork, 'shardOf'> {
  recorder: Recorder
  program: ControllerExplanation['program']
}

/**
 * Explains one key of a controller, for the inspector's page and `vcluster-plugin why`: object, runs, owned objects,
 * history.
 */
export async function explainController(
  controller: InspectedController,
  key: Key,
  { recorder, shardOf, program }: ExplainControllerOptions,
): Promise<ControllerExplanation> {
  const { inspection, name } = controller
  const { resource, cluster } = inspection
  const { known: controllerFacts, object, owned } = readNow(controller, key, { recorder, shardOf })
  const [events, release] = await Promise.all([
    eventsOf(cluster, resource, key),
    releaseOf(inspection, object),
  ])
  const facts = object ? inspection.factsOf(object) : noFacts
  const recorded = recorder.subjects([{ cluster: cluster.name, resource, key }, ...owned.map(recordedObject)])
  return {
    ...controllerFacts.view,
    program,
    controller: name,
    apiVersion: apiVersionOf(resource),
    ...describeState(controllerFacts),
    facts: facts.rows,
    owned: controllerFacts.owned,
    tree: ownedTree({ owned, release: release.releaseDetails, reported: facts.owns ?? [] }),
    ...release,
    yaml: await sortedYaml(object && redacted(resource, object)),
    timeline: recorder.timeline(controller, key, recorded),
    recorded,
    ...events,
  }
}

/** Reads what the program knows about the key without a request, all at the same moment. */
function readNow(
  running: InspectedController,
  key: Key,
  { recorder, shardOf }: Pick<ExplainControllerOptions, 'recorder' | 'shardOf'>,
) {
  const { inspection } = running
  const { view, object } = controlledView(running, key, recorder)
  const state = running.stateOf(key)
  const lastRun = recorder.lastRun(running, key)
  const owned = object ? inspection.ownedBy(object).slice(0, maxOwned) : []
  const controllerFacts = {
    view,
    object,
    lastRun,
    shard: shardOf(key),
    conflictsWith: state.conflictsWith,
    isRunning: state.isRunning,
    isWaiting: state.isWaiting,
    reasons: object ? inspection.waitsFor(object) : [],
    owned: owned.map(ownedView),
  }
  return { known: controllerFacts, object, owned }
}

/** Describes the state of the object: a summary in a sentence, its runs, and its conditions. */
function describeState(facts: ControllerFacts) {
  const { object, isRunning, isWaiting, shard, conflictsWith, lastRun } = facts
  return {
    summary: controllerSummary(facts),
    isRunning,
    isWaiting,
    shard,
    conflictsWith: conflictsWith ?? null,
    lastRun: lastRun ?? null,
    waitsFor: waitsFor(facts),
    conditions: object ? conditionsOf(object) : [],
  }
}

function ownedView({ cluster, resource, object }: Owned): OwnedView {
  return {
    cluster: cluster.name,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...keyOf(object),
    problem: readyProblem(object),
  }
}

function recordedObject({ cluster, resource, object }: Owned): RecordedObject {
  const key = keyOf(object)
  return { cluster: cluster.name, resource, key, label: nameOf({ kind: resource.kind, ...key }) }
}

/** Reads the object's Helm release. An error is part of the explanation, not a failure of it. */
async function releaseOf(
  { readRelease }: ControllerInspection,
  object: KubeObject | undefined,
): Promise<Pick<ControllerExplanation, 'releaseDetails' | 'releaseError'>> {
  try {
    return { releaseDetails: (object && (await readRelease(object))) ?? null }
  } catch (error) {
    return { releaseDetails: null, releaseError: error instanceof Error ? error.message : String(error) }
  }
}
