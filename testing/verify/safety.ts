import { keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { kindAnnotation, markerLabel, nameAnnotation, namespaceAnnotation } from '../../sdk/naming/marks.js'
import { describeWrite, type Write } from '../requests/request-target.js'
import type { Scenario } from '../scenario/scenario.js'

/** What a write is held against. */
export interface SafetyOptions {
  scenario: Scenario
  vclusterName: string
  targetNamespace: string
}

const notAboutObjects = new Set(['events', 'leases'])

/** What a single write did that no plugin may do, a sentence each. */
export function trespasses(write: Write, options: SafetyOptions): string[] {
  if (write.cluster !== 'host' || write.status >= 300 || notAboutObjects.has(write.target.plural)) return []
  const rules = [outsideOfScope, ofStranger, deleteByName, ofAll]
  return rules.flatMap((rule) => {
    const wrong = rule(write, options)
    return wrong === undefined ? [] : [`${describeWrite(write)}: ${wrong}`]
  })
}

function outsideOfScope({ target }: Write, { targetNamespace }: SafetyOptions): string | undefined {
  if (target.namespace === '' || target.namespace === targetNamespace) return undefined
  return `it is outside the target namespace ${targetNamespace}`
}

function ofStranger({ before }: Write, { scenario, vclusterName }: SafetyOptions): string | undefined {
  const owns = scenario.owns ?? ((object: KubeObject) => carriesMarker(object, vclusterName))
  return before === undefined || owns(before) ? undefined : "the object there is not the plugin's own"
}

function carriesMarker({ metadata }: KubeObject, vclusterName: string): boolean {
  const marker = metadata.labels?.[markerLabel]
  return marker === vclusterName || (marker?.endsWith(`-x-${vclusterName}`) ?? false)
}

/** Between the look and the delete another object may have taken the name. */
function deleteByName({ method, before, preconditionUid }: Write): string | undefined {
  if (method !== 'DELETE' || before === undefined || preconditionUid === before.metadata.uid) return undefined
  return 'the delete does not say the UID of what it means'
}

function ofAll({ method, target }: Write): string | undefined {
  return method === 'DELETE' && target.name === '' ? 'it deletes whatever is there' : undefined
}

/** Sources that have more than one copy among these host objects, a sentence each. */
export function doubles(hostObjects: readonly KubeObject[]): string[] {
  const bySource = new Map<string, string[]>()
  for (const object of hostObjects) {
    const { annotations = {} } = object.metadata
    const name = annotations[nameAnnotation]
    if (name === undefined) continue
    const source = `${annotations[kindAnnotation] ?? ''} ${annotations[namespaceAnnotation] ?? ''}/${name}`
    const { namespace, name: copy } = keyOf(object)
    bySource.set(source, [...(bySource.get(source) ?? []), `${namespace}/${copy}`])
  }
  return [...bySource]
    .filter(([, copies]) => copies.length > 1)
    .map(([source, copies]) => `${source} has ${copies.length} copies: ${copies.join(', ')}`)
}
