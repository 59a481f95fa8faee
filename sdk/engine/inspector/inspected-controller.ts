import type { Cluster } from '../cluster/cluster.js'
import type { RunningController } from '../controller/running-controller.js'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { ObjectFacts } from './fact-view.js'
import type { DeployedRelease } from './pair-model.js'
import type { ReleaseView } from './release-view.js'

/** A kind in a cluster. */
export interface InspectedKind {
  readonly cluster: Cluster
  readonly resource: Resource
}

/** The parts of a controller that the inspector shows; everything is read on request. */
export interface ControllerInspection {
  /** The kind of its objects, and their cluster. */
  readonly resource: Resource
  readonly cluster: Cluster
  readonly owns: readonly InspectedKind[]
  /** Other kinds whose changes trigger it. */
  readonly watches: readonly InspectedKind[]
  /** Whether the status of its objects names a Helm release. */
  readonly hasReleases: boolean
  /** The objects that belong to an object, as the caches have them. */
  ownedBy(object: KubeObject): readonly (InspectedKind & { readonly object: KubeObject })[]
  /** Whether a person has stopped the controller from touching an object. */
  isPaused(object: KubeObject): boolean
  /** Why nothing is done for an object now, in sentences. */
  waitsFor(object: KubeObject): readonly string[]
  /** The facts about an object in addition to its conditions. */
  factsOf(object: KubeObject): ObjectFacts
  /** The release that the status of an object names. */
  deployedRelease(object: KubeObject): DeployedRelease | null
  /** Reads the release of an object; undefined if it has none. Rejects if it cannot be read. */
  readRelease(object: KubeObject): Promise<ReleaseView | undefined>
}

/** A controller that runs, and that the inspector can show. */
export interface InspectedController extends RunningController {
  readonly inspection: ControllerInspection
}

/** Whether the inspector can show a controller that runs. */
export function isInspectedController(running: RunningController): running is InspectedController {
  return 'inspection' in running
}

/** The key of an object of a controller: that of a cluster-scoped object has no namespace, whatever was asked. */
export function placedKey({ namespaced }: Pick<Resource, 'namespaced'>, key: Key): Key {
  return namespaced ? { ...key, namespace: key.namespace || 'default' } : { ...key, namespace: '' }
}
