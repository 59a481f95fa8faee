import { findKind } from '../../engine/cluster/find-kind.js'
import { type Manifest, type Manifests, readManifests } from '../../engine/cluster/read-manifests.js'
import { parseApiVersion } from '../../engine/kube/api-version.js'
import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import { PluginError } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { sleep } from '../../engine/time/clock.js'
import type { RegisterContext, Side } from '../context/register-context.js'

/** Options of {@link applyManifests}. */
export interface ApplyManifestsOptions {
  /** The cluster; default `virtual`. */
  side?: Side
  /** The namespace of objects that name none; default `default`, on the host the target namespace. */
  namespace?: string
  /** The name under which the server remembers our fields; default the plugin's name. */
  fieldManager?: string
  /**
   * Whether fields of other owners, such as users, are taken over; default true. Otherwise such a field is a conflict
   * (409).
   */
  force?: boolean
  /** How long the API server may take to serve a kind that was just defined, in milliseconds; default 60,000. */
  timeoutMs?: number
  /** Aborts the calls. */
  signal?: AbortSignal
}

const optionTypes: OptionTypes<ApplyManifestsOptions> = {
  side: 'any',
  namespace: 'any',
  fieldManager: 'any',
  force: 'any',
  timeoutMs: 'any',
  signal: 'object',
}

/** How long to wait before the kind is requested again, in milliseconds. */
const retryMs = 250

/**
 * Applies objects to a cluster by server-side apply, one after the other in the given order, and returns them as the
 * server stored them: call it in `init`. An existing object gets the fields given here and keeps its others; a field
 * from an earlier call that is missing in this call is removed. A `URL` is a file of YAML documents, a string has such
 * documents itself; each item of a `List` is applied. Applying again changes nothing. On the host the plugin needs the
 * rights to create and to patch the kinds: name them in the runnable's `permissions`.
 *
 * Throws `PluginError`: `INVALID_MANIFEST` for a value that is not an object, before any object is applied;
 * `UNKNOWN_KIND` for a kind that the cluster does not serve. Throws `ApiError` for an object that the server refuses.
 * The objects before that object have been applied then.
 *
 * See https://kubernetes.io/docs/reference/using-api/server-side-apply/; in the Go SDK these are
 * `applier.ApplyManifest` and `ApplyManifestFile` (`pkg/applier` @ vcluster-sdk v0.4.2).
 *
 * @example
 * ```ts
 * const greeting = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'greeting' } }
 * const applied = await applyManifests(ctx, [greeting])
 * console.log(applied.length) // 1
 * ```
 */
export async function applyManifests(
  ctx: RegisterContext,
  manifests: Manifests,
  options: ApplyManifestsOptions = {},
): Promise<KubeObject[]> {
  checkOptions('applyManifests', options, optionTypes)
  const { side = 'virtual' } = options
  const objects = await readManifests(manifests)
  const applied: KubeObject[] = []
  const definedGroups = groupsDefinedBy(objects)
  for (const object of objects) applied.push(await apply(ctx, object, { ...options, side, definedGroups }))
  ctx.logger.info({ side, objects: applied.map(({ metadata }) => metadata.name) }, 'manifests were applied')
  return applied
}

type ResolvedApplyOptions = ApplyManifestsOptions & { side: Side; definedGroups: ReadonlySet<string> }

async function apply(
  ctx: RegisterContext,
  object: Manifest,
  options: ResolvedApplyOptions,
): Promise<KubeObject> {
  const { side, fieldManager = ctx.pluginName, force = true, signal } = options
  const resource = await waitForKind(ctx, object, options)
  const body = resource.namespaced ? withNamespace(ctx, object, options) : object
  const call = { fieldManager, force, ...(signal && { signal }) }
  return ctx[side].client.patch(resource, keyOf(body), { type: 'apply', body, ...call })
}

/** The object with a namespace: its own, else that of the options. Called for namespaced kinds. */
function withNamespace(
  { targetNamespace }: RegisterContext,
  object: Manifest,
  { side, namespace = side === 'host' ? targetNamespace : 'default' }: ResolvedApplyOptions,
): Manifest {
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? namespace } }
}

/**
 * Finds the kind of an object. If another of the objects defines kinds of its group, waits until the kind is served.
 */
async function waitForKind(
  ctx: RegisterContext,
  object: Manifest,
  options: ResolvedApplyOptions,
): Promise<Resource> {
  const { side, definedGroups, timeoutMs = 60_000, signal } = options
  const { apiVersion, kind } = object
  const { group, version } = parseApiVersion(apiVersion) ?? { group: apiVersion, version: '' }
  const endMs = ctx.clock.now() + timeoutMs
  for (;;) {
    const resource = await findKind(ctx[side], { group, version, kind })
    if (resource) return resource
    if (!definedGroups.has(group) || ctx.clock.now() >= endMs) throw notServedError(object, side)
    await sleep(ctx.clock, retryMs, signal)
  }
}

/** The API groups of the CustomResourceDefinitions among the objects. */
function groupsDefinedBy(objects: readonly Manifest[]): ReadonlySet<string> {
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
  return new Set(definitions.map((definition) => (definition as CustomResourceDefinition).spec.group))
}

function notServedError({ apiVersion, kind, metadata }: Manifest, side: Side): PluginError {
  return new PluginError(
    'UNKNOWN_KIND',
    `the ${side} cluster does not serve ${kind} of ${apiVersion}, the kind of ${formatKey(keyOf({ metadata }))}: ` +
      'apply its CustomResourceDefinition first, or correct its apiVersion',
  )
}
