import { secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import { isRecordByOther } from '../../release/stored-release.js'
import { ofHooks, releaseOfHook } from '../objects/hook-annotations.js'
import { ofReleases, type ReleaseObject, releaseOf } from '../objects/release-object.js'

/**
 * The objects of one kind in one namespace that releases depend on. The controller watches them, and a change runs the
 * key of the release.
 */
export interface FollowedKind {
  readonly resource: Resource
  /** `''` for a kind without namespaces. */
  readonly namespace: string
  readonly labelSelector: string
  /** The namespace and the name of the release that an object belongs to, joined by a slash. */
  readonly releaseOf: (object: KubeObject) => string
  /** Whether a change of an object, or its deletion, matters; default any does. */
  readonly matters?: (object: KubeObject, type: 'applied' | 'deleted') => boolean
  /** Whether the objects belong to releases and may stop running; default false. */
  readonly mayStop?: boolean
}

/** The identity of a watch: its kind, its namespace and its selection. Equal ones share a watch. */
export const idOfFollowed = ({ resource, namespace, labelSelector }: FollowedKind) =>
  `${formatResource(resource)} ${namespace} ${labelSelector}`

/** The watch for an object that a release has: all objects of releases of its kind in its namespace. */
export const kindOfObject = ({ resource, key: { namespace } }: ReleaseObject): FollowedKind => ({
  resource,
  namespace,
  labelSelector: ofReleases,
  releaseOf,
  mayStop: true,
})

/** The watch for an object that a hook made. */
export const kindOfHook = ({ resource, key: { namespace } }: ReleaseObject): FollowedKind => ({
  resource,
  namespace,
  labelSelector: ofHooks,
  releaseOf: releaseOfHook,
})

/** The watch for the records of the releases in a namespace. Changes that this SDK has written do not matter. */
export const recordsIn = (namespace: string): FollowedKind => ({
  resource: secrets,
  namespace,
  labelSelector: 'owner=helm',
  releaseOf: ({ metadata }) => `${metadata.namespace}/${metadata.labels?.name ?? ''}`,
  matters: isRecordByOther,
})
