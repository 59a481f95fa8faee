import { redacted } from '../../../engine/inspector/redact.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import {
  controlledByAnnotation,
  hostNameAnnotation,
  hostNamespaceAnnotation,
  importedAnnotation,
  kindAnnotation,
  managedAnnotationsAnnotation,
  managedLabelsAnnotation,
  nameAnnotation,
  namespaceAnnotation,
  skipBacksyncAnnotation,
  uidAnnotation,
} from '../../naming/ownership-keys.js'

/** The annotations by which vcluster recognises copies. */
const plainAnnotations: ReadonlySet<string> = new Set([
  nameAnnotation,
  namespaceAnnotation,
  uidAnnotation,
  kindAnnotation,
  hostNameAnnotation,
  hostNamespaceAnnotation,
  importedAnnotation,
  skipBacksyncAnnotation,
  controlledByAnnotation,
  managedAnnotationsAnnotation,
  managedLabelsAnnotation,
])

/** An original or a copy in a form that may be shown; see {@link redacted}. The ownership annotations stay readable. */
export const shownObject = (resource: Resource, object: KubeObject): KubeObject =>
  redacted(resource, object, { plainAnnotations })
