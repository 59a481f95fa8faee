import type { KubeObject } from '../../engine/kube/object.js'
import { hookEvents, type ReleaseHook } from './release-hook.js'

const hookAnnotation = 'helm.sh/hook'
const weightAnnotation = 'helm.sh/hook-weight'
const deletePolicyAnnotation = 'helm.sh/hook-delete-policy'
const outputAnnotation = 'helm.sh/hook-output-log-policy'

const events = new Set<string>(hookEvents)

/** Whether an object is a hook of a chart, and not a part of the release. */
export function isHook(object: KubeObject): boolean {
  return object.metadata.annotations?.[hookAnnotation] !== undefined
}

/** Reads a hook from an object; undefined if one of its events is unknown, because Helm leaves out such an object. */
export function hookOf(object: KubeObject, path: string, manifest: string): ReleaseHook | undefined {
  const { annotations = {}, name = '' } = object.metadata
  const hookEvents = eventsOf(object)
  if (!hookEvents.every((event) => events.has(event))) return undefined
  const deletePolicies = splitList(annotations[deletePolicyAnnotation])
  const outputPolicies = splitList(annotations[outputAnnotation])
  return {
    name,
    kind: object.kind ?? '',
    path,
    manifest,
    events: hookEvents,
    weight: weightOf(annotations),
    ...(deletePolicies.length > 0 && { delete_policies: deletePolicies }),
    ...(outputPolicies.length > 0 && { output_log_policies: outputPolicies }),
  }
}

/** Names an object that is left out, because it has an unknown event. */
export function leftOutName({ kind, metadata: { name, annotations } }: KubeObject, path: string): string {
  return `${kind} ${name} of ${path} (${annotations?.[hookAnnotation]})`
}

/** The events of a hook. An empty name stays, because it is also an unknown event for Helm. */
function eventsOf({ metadata }: KubeObject): string[] {
  const names = (metadata.annotations?.[hookAnnotation] ?? '').split(',')
  return names.map((one) => one.trim().toLowerCase()).map((one) => (one === 'test-success' ? 'test' : one))
}

function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
}

/** The weight of a hook; 0 if the annotation is not an integer, as in Helm. */
function weightOf(annotations: Record<string, string>): number {
  const text = annotations[weightAnnotation] ?? ''
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : 0
}
