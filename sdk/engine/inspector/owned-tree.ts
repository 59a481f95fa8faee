import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { readyProblem, statesReadiness } from './conditions.js'
import { nameOf } from './controlled-view.js'
import type { InspectedKind } from './inspected-controller.js'
import type { OwnedNode } from './owned-node.js'
import type { ReleaseView } from './release-view.js'

/** The objects that belong to the object of one key. */
export interface OwnedParts {
  /** The objects that the controller made. */
  readonly owned: readonly (InspectedKind & { readonly object: KubeObject })[]
  readonly release: ReleaseView | null
  /** Reported by the controller. */
  readonly reported: readonly OwnedNode[]
}

type Owned = OwnedParts['owned'][number]

/** Everything that belongs to an object: its release with the objects of that, the objects that were made for it. */
export function ownedTree({ owned, release, reported }: OwnedParts): OwnedNode[] {
  return [...reported, ...(release ? [releaseNode(release)] : []), ...new OwnedForest(owned).nodes()]
}

/**
 * Objects below their owners. Anyone who may write such an object may name any owners, several of them or in a circle,
 * so each object is shown once: below the first owner that is reached, and at the top if none is.
 */
class OwnedForest {
  readonly #owned: readonly Owned[]
  /** The objects by the uid of each owner. */
  readonly #below = new Map<string | undefined, Owned[]>()
  readonly #tops: Owned[] = []
  readonly #shown = new Set<Owned>()

  constructor(owned: readonly Owned[]) {
    this.#owned = owned
    for (const { object } of owned) this.#below.set(object.metadata.uid, [])
    for (const item of owned) {
      const owners = (item.object.metadata.ownerReferences ?? []).filter(({ uid }) => this.#below.has(uid))
      for (const { uid } of owners) this.#below.get(uid)?.push(item)
      if (owners.length === 0) this.#tops.push(item)
    }
  }

  /** The objects at the top with those below them, then the objects that only form circles. */
  nodes(): OwnedNode[] {
    return [...this.#nodesOf(this.#tops), ...this.#nodesOf(this.#owned)]
  }

  #nodesOf(objects: readonly Owned[]): OwnedNode[] {
    return objects.flatMap((item) => (this.#shown.has(item) ? [] : [this.#node(item)]))
  }

  #node(item: Owned): OwnedNode {
    this.#shown.add(item)
    const { resource, object } = item
    const problem = readyProblem(object)
    return {
      name: nameOf({ kind: resource.kind, ...keyOf(object) }),
      health: problem === null ? (statesReadiness(object) ? 'ready' : 'exists') : 'not ready',
      text: problem ?? '',
      owns: this.#nodesOf(this.#below.get(object.metadata.uid) ?? []),
    }
  }
}

function releaseNode(release: ReleaseView): OwnedNode {
  const { name, latest, objects, stage } = release
  const owns = objects.map((object) => releaseObjectNode(object, release))
  const isWell = latest?.status === 'deployed' && owns.every(({ health }) => health !== 'not ready')
  const state = latest ? `revision ${latest.revision}, ${latest.status}` : 'no revision yet'
  return {
    name: `Release ${name}`,
    health: isWell ? 'ready' : 'not ready',
    text: stage === null ? state : `${state}, at the step ${stage}`,
    owns,
  }
}

function releaseObjectNode(name: string, { drift, notReady }: ReleaseView): OwnedNode {
  const drifted = drift?.find(({ object }) => object === name)
  const texts = [
    ...(notReady?.includes(name) ? ['does not run'] : []),
    ...(drifted ? [drifted.fields.length === 0 ? 'is gone' : `differs at ${drifted.fields.join(', ')}`] : []),
  ]
  if (texts.length > 0) return { name, health: 'not ready', text: texts.join('; '), owns: [] }
  return { name, health: notReady === null ? 'exists' : 'ready', text: '', owns: [] }
}
