import type { Client } from '../../../engine/client/client.js'
import { apiVersionOf } from '../../../engine/kube/resource.js'
import type { ManagedFieldsEntry } from '../../../operator/apply/managed-leaves.js'
import { takeOver } from '../../../operator/apply/take-over.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { fieldManager, LiveObjects } from './live-objects.js'
import type { ReleaseObject } from './release-object.js'

/** Whether Helm wrote the objects of a revision by client-side apply, as Helm 3 does. */
export const isClientSide = ({ release }: StoredRelease) => release.apply_method !== 'ssa'

/** The usual names of programs that have Helm as a library: it writes under the name of the program that runs. */
const libraryManagers: ReadonlySet<string> = new Set(['manager', 'helm-operator', 'helm-controller'])
const hasHelmAsLibrary = (manager: string) =>
  libraryManagers.has(manager) || manager.startsWith('terraform-provider-helm')

/** Annotations that only the objects of releases and of hooks have. */
const chartAnnotations = ['meta.helm.sh/release-name', 'helm.sh/hook']

/** Options of {@link takeClientSideFields}. */
interface TakeFieldsOptions {
  readonly client: Client
  readonly signal: AbortSignal
  /** The names of more programs that applied releases, by Helm as a library. */
  readonly formerFieldManagers?: readonly string[] | undefined
}

/**
 * Turns the fields that Helm 3 wrote by client-side apply into server-side applied fields of Helm 4 and this SDK.
 * Otherwise these fields would have two managers, and a field that leaves the chart would stay forever. Returns whether
 * the object was changed. Rejects with `ApiError` `Conflict` if the object changes meanwhile: the run is repeated.
 */
export async function takeClientSideFields(
  object: ReleaseObject,
  { client, signal, formerFieldManagers = [] }: TakeFieldsOptions,
): Promise<boolean> {
  const { resource, key } = object
  const live = await new LiveObjects(client, signal).read(object)
  const former = new Set([fieldManager, ...formerFieldManagers])
  const selects = (entry: ManagedFieldsEntry) => isOfHelm(entry, former)
  const entries = (live?.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]
  const managers = entries.filter(selects).map(({ manager = '' }) => manager)
  if (!live || managers.length === 0) return false
  const renamed = new Map(managers.map((manager) => [manager, fieldManager]))
  const body = takeOver(live, { renamed, apiVersion: apiVersionOf(resource), selects })
  if (!body) return false
  await client.patch(resource, key, { type: 'json', body, signal })
  return true
}

/**
 * Whether an entry of `managedFields` is of Helm's client-side apply. Other operators have names such as `manager`,
 * too, so an entry of such a name also has to contain an annotation of charts.
 */
function isOfHelm(entry: ManagedFieldsEntry, former: ReadonlySet<string>): boolean {
  const { manager = '', operation, subresource = '' } = entry
  if (operation !== 'Update' || subresource !== '') return false
  return former.has(manager) || (hasHelmAsLibrary(manager) && hasChartAnnotation(entry))
}

/** Whether the manager of an entry wrote an annotation of charts. */
function hasChartAnnotation({ fieldsV1 }: ManagedFieldsEntry): boolean {
  const { 'f:metadata': metadata } = (fieldsV1 ?? {}) as { 'f:metadata'?: { 'f:annotations'?: object } }
  const annotations = metadata?.['f:annotations'] ?? {}
  return chartAnnotations.some((name) => Object.hasOwn(annotations, `f:${name}`))
}
