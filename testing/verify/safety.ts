import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import {
  kindAnnotation,
  markerLabel,
  nameAnnotation,
  namespaceAnnotation,
} from '../../sdk/vcluster/naming/ownership-keys.js'
import { describeWrite, isEventOrLease, type RecordedWrite } from '../recorder/recorded-write.js'
import type { Scenario } from '../scenario/scenario.js'

/** Data about a run for the safety rules. */
export interface SafetyOptions {
  scenario: Pick<Scenario, 'owns'>
  vclusterName: string
  targetNamespace: string
}

/** Returns a sentence for each safety rule that a write of the plugin violates. */
export function safetyViolations(write: RecordedWrite, options: SafetyOptions): string[] {
  if (write.cluster !== 'host' || write.status >= 300 || isEventOrLease(write.target.plural)) return []
  const rules = [outsideTargetNamespace, changesForeignObject, deletesWithoutUid, deletesCollection]
  return rules.flatMap((rule) => {
    const violation = rule(write, options)
    return violation === undefined ? [] : [`${describeWrite(write)}: ${violation}`]
  })
}

function outsideTargetNamespace(
  { target }: RecordedWrite,
  { targetNamespace }: SafetyOptions,
): string | undefined {
  if (target.namespace === '' || target.namespace === targetNamespace) return undefined
  return `it is outside the target namespace ${targetNamespace}`
}

function changesForeignObject(
  { before }: RecordedWrite,
  { scenario, vclusterName }: SafetyOptions,
): string | undefined {
  const owns = scenario.owns ?? ((object: KubeObject) => hasMarkerLabel(object, vclusterName))
  return before === undefined || owns(before)
    ? undefined
    : 'the existing object does not belong to the plugin'
}

function hasMarkerLabel({ metadata }: KubeObject, vclusterName: string): boolean {
  const marker = metadata.labels?.[markerLabel]
  return marker === vclusterName || (marker?.endsWith(`-x-${vclusterName}`) ?? false)
}

/** Without the UID, the delete can hit an object that was created under the same name after the plugin's read. */
function deletesWithoutUid({ method, before, preconditionUid }: RecordedWrite): string | undefined {
  if (method !== 'DELETE' || before === undefined || preconditionUid === before.metadata.uid) return undefined
  return "the delete has no precondition with the object's UID"
}

function deletesCollection({ method, target }: RecordedWrite): string | undefined {
  return method === 'DELETE' && target.name === '' ? 'it deletes a whole collection' : undefined
}

/** Returns a sentence for each original that has several copies among these host objects. */
export function duplicateCopies(hostObjects: readonly KubeObject[]): string[] {
  const byOriginal = new Map<string, string[]>()
  for (const object of hostObjects) {
    const { annotations = {} } = object.metadata
    const name = annotations[nameAnnotation]
    if (name === undefined) continue
    const original = `${annotations[kindAnnotation] ?? ''} ${annotations[namespaceAnnotation] ?? ''}/${name}`
    const { namespace, name: copy } = keyOf(object)
    byOriginal.set(original, [...(byOriginal.get(original) ?? []), `${namespace}/${copy}`])
  }
  return [...byOriginal]
    .filter(([, copies]) => copies.length > 1)
    .map(([original, copies]) => `${original} has ${copies.length} copies: ${copies.join(', ')}`)
}
