import type { ObjectFacts } from '../../engine/inspector/fact-view.js'
import type { ControllerInspection } from '../../engine/inspector/inspected-controller.js'
import type { DeployedRelease } from '../../engine/inspector/pair-model.js'
import type { ReleaseView } from '../../engine/inspector/release-view.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { WiredController } from '../controller/wired-controller.js'
import { ownedBy } from '../owner/owner-index.js'
import { hasPausedAnnotation } from '../run/paused.js'

/** Reads the releases of a controller, for the inspector. */
export interface ReleaseReader {
  /** The release that the status of an object names. Left out if the status of the kind names none. */
  deployed?(object: KubeObject): DeployedRelease | null
  /** The release of an object; undefined if it has none. */
  read(object: KubeObject): Promise<ReleaseView | undefined>
}

/** The parts of a controller's objects that it shows itself. */
export interface ControllerViews {
  /** Undefined if its objects have no releases. */
  readonly releases: ReleaseReader | undefined
  factsOf(object: KubeObject): ObjectFacts
}

/** A controller as the inspector shows it. */
export function inspectionOf(
  wired: WiredController,
  { releases, factsOf }: ControllerViews,
): ControllerInspection {
  const { resource, cluster, owns, watches } = wired
  return {
    resource,
    cluster,
    owns,
    watches,
    hasReleases: releases?.deployed !== undefined,
    ownedBy: (object) => {
      const owner = { cluster: cluster.name, resource, key: keyOf(object), uid: object.metadata.uid ?? '' }
      return owns.flatMap((kind) => ownedBy(kind, owner).map((one) => ({ ...kind, object: one })))
    },
    isPaused: (object) => hasPausedAnnotation(object, resource.group),
    waitsFor: (object) => [...reasonsOf(wired, object), ...factsOf(object).waitsFor],
    factsOf,
    deployedRelease: (object) => releases?.deployed?.(object) ?? null,
    readRelease: async (object) => releases?.read(object),
  }
}

function reasonsOf({ resource, waits }: WiredController, object: KubeObject): string[] {
  const waiting = waits.get(formatKey(keyOf(object)))
  const annotation = `${resource.group || 'core'}/paused`
  return [
    ...(hasPausedAnnotation(object, resource.group)
      ? [`The annotation ${annotation} stops the controller.`]
      : []),
    ...(waiting === undefined ? [] : [`The last run ended early: ${waiting.message}.`]),
  ]
}
