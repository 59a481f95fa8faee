import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { hasReadiness, readyProblem } from './conditions.js'
import { nameOf } from './controlled-view.js'
import type { InspectedKind } from './inspected-controller.js'
import type { OwnedNode } from './owned-node.js'
import type { ReleaseView } from './release-view.js'

/** The parts of {@link ownedTree}. */
export interface OwnedParts {
  /** The objects that the controller made. */
  readonly owned: readonly (InspectedKind & { readonly object: KubeObject })[]
  readonly release: ReleaseView | null
  /** Reported by the controller. */
  readonly told: readonly OwnedNode[]
}

/** Everything that belongs to an object: its release with the objects of that, the objects that were made for it. */
export function ownedTree({ owned, release, told }: OwnedParts): OwnedNode[] {
  const uids = new Set(owned.map(({ object }) => object.metadata.uid))
  const isBelow = ({ object }: OwnedParts['owned'][number]) =>
    object.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) ?? false
  const tops = owned.filter((one) => !isBelow(one))
  return [
    ...told,
    ...(release ? [releaseNode(release)] : []),
    ...tops.map((one) => objectNode(one, owned.filter(isBelow))),
  ]
}

function objectNode(
  { resource, object }: OwnedParts['owned'][number],
  others: OwnedParts['owned'],
): OwnedNode {
  const problem = readyProblem(object)
  const { uid } = object.metadata
  const below = others.filter((one) =>
    one.object.metadata.ownerReferences?.some((reference) => reference.uid === uid),
  )
  // An object cannot own itself through others: each step leaves its children out.
  const rest = others.filter((one) => !below.includes(one))
  return {
    name: nameOf({ kind: resource.kind, ...keyOf(object) }),
    health: problem === null ? (hasReadiness(object) ? 'ready' : 'exists') : 'not ready',
    text: problem ?? '',
    owns: below.map((one) => objectNode(one, rest)),
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
