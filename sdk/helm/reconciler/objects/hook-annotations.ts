import type { KubeObject } from '../../../engine/kube/object.js'
import { primaryAnnotations, type ReleaseObject, type ReleaseOwner } from './release-object.js'

/** The annotation of a hook's object that says which run made it: an object of an earlier run is deleted first. */
const runAnnotation = 'vcluster-plugin-sdk/hook-run'
/**
 * The annotation of a hook's object that names its release. Helm's own annotations are for the objects of a release,
 * not for hooks.
 */
const releaseAnnotation = 'vcluster-plugin-sdk/hook-release'
const hookLabel = 'vcluster-plugin-sdk/hook'

/** The label selector of the objects of hooks. */
export const ofHooks = `${hookLabel}=true`

/** The release whose hook made an object: its namespace and its name, joined by a slash. */
export const releaseOfHook = ({ metadata }: KubeObject) => metadata.annotations?.[releaseAnnotation] ?? ''

/** Whether a hook of a release made an object. */
export const isHookOf = (object: KubeObject, { namespace, name }: ReleaseOwner['release']) =>
  releaseOfHook(object) === `${namespace}/${name}`

/** Whether a hook of another release made an object. */
export const isHookOfAnother = (object: KubeObject, release: ReleaseOwner['release']) =>
  releaseOfHook(object) !== '' && !isHookOf(object, release)

/** Whether a run of a hook of a release made an object. */
export const isOfRun = (object: KubeObject, { release }: Pick<ReleaseOwner, 'release'>, run: string) =>
  isHookOf(object, release) && object.metadata.annotations?.[runAnnotation] === run

/**
 * The object of a hook with the label and the annotations of a run. It has no owner reference, as with Helm: the object
 * of a delete hook has to outlive the custom resource.
 */
export function withRun(
  { object, ...rest }: ReleaseObject,
  run: string,
  { release, owner, target }: ReleaseOwner,
): ReleaseObject {
  const { labels, annotations, ...metadata } = object.metadata
  return {
    ...rest,
    object: {
      ...object,
      metadata: {
        ...metadata,
        labels: { ...labels, [hookLabel]: 'true' },
        annotations: {
          ...annotations,
          [runAnnotation]: run,
          [releaseAnnotation]: `${release.namespace}/${release.name}`,
          ...primaryAnnotations(owner, target),
        },
      },
    },
  }
}
