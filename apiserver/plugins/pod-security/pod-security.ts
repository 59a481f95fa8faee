import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import type { Container } from '../../kinds/pod-spec/spec.js'
import { forbidden, invalid } from '../../request/status.js'
import { objectKind } from '../../resources/served-resource.js'
import type { AdmissionPlugin, PluginWrite } from '../plugin.js'
import { detailsText, violations } from './evaluate.js'
import { namespaceWarnings } from './namespace-warnings.js'
import { type CheckedPod, checkedPod } from './pod-shape.js'
import { levelText, type Policy, policyOf } from './policy.js'

/** Subresources of a pod that cannot change its permissions on the node. */
const ignoredParts = ['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']

/** The place of the pod template in the objects of a resource. */
const templates: Readonly<Record<string, readonly string[]>> = {
  podtemplates: ['template'],
  replicationcontrollers: ['spec', 'template'],
  'replicasets.apps': ['spec', 'template'],
  'deployments.apps': ['spec', 'template'],
  'statefulsets.apps': ['spec', 'template'],
  'daemonsets.apps': ['spec', 'template'],
  'jobs.batch': ['spec', 'template'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
}

/**
 * `PodSecurity`: the labels of a namespace say which pods it allows, and of which the server warns.
 * https://kubernetes.io/docs/concepts/security/pod-security-admission/
 */
export const podSecurity: AdmissionPlugin = {
  storages: ['pods', 'namespaces', ...Object.keys(templates)],
  validate(write) {
    const { storage } = write.request.resource
    const path = templates[storage]
    if (storage === 'pods') checkPod(write)
    else if (storage === 'namespaces') checkNamespace(write)
    else if (path !== undefined) warnOfTemplate(write, path)
  },
}

function checkPod(write: PluginWrite): void {
  const { request, object, old } = write
  if (ignoredParts.includes(request.target.subresource)) return
  const policy = policyFor(write)
  if (policy.enforce.level === 'privileged' && policy.warn.level === 'privileged') return
  if (old !== undefined && !isSignificant(object, old)) return
  const pod = checkedPod(object.metadata.annotations ?? {}, recordOf(object.spec))
  const podViolations = violations(pod, policy.enforce)
  if (podViolations.length === 0) {
    warnOf(write, policy, pod)
    return
  }
  const why = `violates PodSecurity "${levelText(policy.enforce)}": ${detailsText(podViolations)}`
  throw forbidden(request.resource, object.metadata.name ?? '', why)
}

function warnOfTemplate(write: PluginWrite, path: readonly string[]): void {
  if (write.request.target.subresource !== '') return
  const policy = policyFor(write)
  if (policy.warn.level === 'privileged') return
  const template = recordOf(fieldAt(write.object, ...path))
  if (template.spec === undefined) return
  const { annotations = {} } = recordOf(template.metadata) as { annotations?: Record<string, string> }
  warnOf(write, policy, checkedPod(annotations, recordOf(template.spec)))
}

function warnOf({ request }: PluginWrite, { warn }: Policy, pod: CheckedPod): void {
  const podViolations = violations(pod, warn)
  if (podViolations.length > 0)
    request.warnings.push(`would violate PodSecurity "${levelText(warn)}": ${detailsText(podViolations)}`)
}

function policyFor({ request: { server, target } }: PluginWrite): Policy {
  return policyOf(server.find('namespaces', '', target.namespace)?.metadata.labels)
}

/** Whether a change of a pod concerns its security: another image, or another container. */
function isSignificant(pod: OpenObject, old: OpenObject): boolean {
  return ['containers', 'initContainers', 'ephemeralContainers'].some((field) => {
    const [next, before] = [imagesOf(pod, field), imagesOf(old, field)]
    return next.size !== before.size || [...next].some(([name, image]) => before.get(name) !== image)
  })
}

function imagesOf({ spec }: OpenObject, field: string): Map<string, string> {
  const containers = recordOf(spec)[field]
  const list = Array.isArray(containers) ? (containers as readonly Container[]) : []
  return new Map(list.map(({ name = '', image = '' }) => [name, image]))
}

/** Refuses labels that are not valid, and warns of pods that a stricter level does not allow. */
function checkNamespace({ request, object, old }: PluginWrite): void {
  if (request.target.subresource !== '') return
  const { labels, name = '' } = object.metadata
  const policy = policyOf(labels)
  const before = old === undefined ? undefined : policyOf(old.metadata.labels)
  const oldErrors = JSON.stringify(before?.errors ?? [])
  if (policy.errors.length > 0 && JSON.stringify(policy.errors) !== oldErrors)
    throw invalid(objectKind(request.resource), name, policy.errors)
  if (before !== undefined)
    request.warnings.push(...namespaceWarnings(request.server, name, { after: policy, before }))
}
