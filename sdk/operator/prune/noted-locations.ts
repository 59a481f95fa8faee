/**
 * The locations of objects that have owner labels in place of a reference. Everybody who may write objects of a kind
 * can write the labels of a foreign primary on them, and a finalizer that keeps them. So the deletion of a primary
 * waits only where its controller has applied objects for it. The notes of these locations are on the primary: a user
 * who may write elsewhere cannot change them. A user who may write the primary can only let it go earlier; its objects
 * are deleted in every case.
 */
import groupBy from 'lodash/groupBy.js'
import { type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { OwnedKind } from './owned-kind.js'
import { maxNotes, type NotedKind, notedKind, parseNote } from './owned-kinds.js'

/** A kind with more locations is noted for every location, because annotations are limited. */
const maxLocations = 16

/** The note for the location of an object that has owner labels. */
export function locatedNote({ cluster, resource }: OwnedKind, { namespace, name }: Key): NotedKind {
  return notedKind(resource, { cluster: cluster.name, location: resource.namespaced ? namespace : name })
}

/** Whether one of the notes is this one, or that of the same kind for every location. */
export function covers(notes: readonly NotedKind[], note: NotedKind): boolean {
  return notes.includes(note) || notes.includes(withoutLocation(note))
}

/** Whether the deletion of a primary waits for an object that has owner labels. */
export type IsAwaited = (kind: OwnedKind, object: KubeObject) => boolean

/**
 * Decides by the notes of a primary. They are read once for all objects: users can write many notes, and many objects.
 */
export function awaitedBy(notes: readonly NotedKind[]): IsAwaited {
  const [noted, notedKinds] = [new Set(notes), new Set(notes.map(withoutLocation))]
  return (kind, object) => {
    const note = locatedNote(kind, keyOf(object))
    const everywhere = withoutLocation(note)
    // Without a note the locations are unknown: the controller writes none, or somebody has removed them.
    return !notedKinds.has(everywhere) || noted.has(note) || noted.has(everywhere)
  }
}

/**
 * The same notes, where a kind with many locations has one note for every location; so has every kind if there would be
 * more notes than are read.
 */
export function limitLocations(notes: readonly NotedKind[]): readonly NotedKind[] {
  const locations = groupBy([...new Set(notes)], withoutLocation)
  const withAtMost = (limit: number) =>
    Object.entries(locations).flatMap(([kind, located]) =>
      located.includes(kind) || located.length > limit ? [kind] : located,
    )
  const limited = withAtMost(maxLocations)
  return limited.length > maxNotes ? withAtMost(0) : limited
}

function withoutLocation(note: NotedKind): NotedKind {
  const { cluster, location, ...kind } = parseNote(note)
  return location === undefined || cluster === undefined ? note : notedKind(kind, { cluster })
}
