/**
 * Finds the objects that are left of a Module, by its label. Nothing here deletes them, because everybody who may write
 * objects can set that label. `kinds-to-list.ts` decides which kinds are searched.
 */
import { ApiError } from '../../../engine/kube/error.js'
import { formatKey, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import { moduleLabel } from '../../manager/client-cluster.js'
import type { MadeCall } from '../call/module-call.js'
import { namespaceOf } from '../call/module-programs.js'
import { kindsToList, usualKinds, writtenKinds } from '../connection/kinds-to-list.js'
import type { ManagerCluster } from '../connection/kubeconfig-clusters.js'
import { type ModuleOfRun, targetCluster } from '../connection/target-cluster.js'
import type { FrozenDefinition } from '../definition/definition.js'

/** The maximum number of objects in a message. */
const maxNames = 20
/** The maximum number of objects of a kind that are read. */
const maxRead = 50
const timeoutMs = 10_000

/** Reports the objects that are left after an uninstallation, by an Event. Rejects only if the run is aborted. */
export async function reportLeftovers(run: ModuleOfRun, call: MadeCall): Promise<void> {
  const { ctx, module, environment } = run
  const { listable } = environment
  try {
    const target = await targetCluster(call.definition.cluster, run)
    const isListable = (kind: Resource) => listable.has(target.cluster.name, kind)
    const kinds = await kindsToList(target.cluster, run, call.program.permissions)
    const leftovers = await findLeftovers(kinds.filter(isListable), {
      run,
      target,
      definition: call.definition,
    })
    // Kinds that the program was only permitted to write are not reported: it may not have any object of them.
    const written = await writtenKinds(target.cluster, run)
    const unlisted = written.filter((kind) => !isListable(kind)).map(formatResource)
    listable.report(target.cluster.name, [...unlisted, ...leftovers.forbidden], ctx.logger)
    const names = namesOf(leftovers.objects.filter((object) => !hasOwner(object)))
    if (names !== undefined)
      ctx.events.warning(
        'LeftBehind',
        `after the uninstallation these still have the label ${moduleLabel}=${module.metadata.uid}: ${names}; they are left alone, because others can set that label too: delete them if they belonged to the Module`,
      )
  } catch (error) {
    if (ctx.signal.aborted) throw error
    ctx.logger.warn({ error }, 'the objects that a Module leaves behind cannot be looked for')
  }
}

/** A sentence that names the objects left of an abandoned Module, or says why they are unknown. */
export async function describeLeftovers(
  definition: Pick<FrozenDefinition, 'cluster' | 'program'> | undefined,
  run: ModuleOfRun,
): Promise<string> {
  try {
    const target = await targetCluster(definition?.cluster, run)
    const kinds = [...usualKinds, ...(await kindsToList(target.cluster, run))]
    const { objects, forbidden } = await findLeftovers(kinds, { run, target, definition: definition ?? {} })
    const names = namesOf(objects) ?? 'none of the usual kinds'
    return forbidden.length === 0
      ? names
      : `${names}; unknown of ${forbidden.join(', ')}, which the operator may not list`
  } catch (error) {
    return `unknown: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The input of a search for the objects of one Module. */
interface Search {
  readonly run: ModuleOfRun
  readonly target: ManagerCluster
  readonly definition: Pick<FrozenDefinition, 'program'>
}

/** The result of a search. */
interface FoundLeftovers {
  readonly objects: KubeObject[]
  /** The kinds that the operator may not list. */
  readonly forbidden: string[]
}

async function findLeftovers(kinds: readonly Resource[], search: Search): Promise<FoundLeftovers> {
  const leftovers: FoundLeftovers = { objects: [], forbidden: [] }
  for (const resource of new Map(kinds.map((kind) => [formatResource(kind), kind])).values())
    await listKind(resource, search, leftovers)
  return leftovers
}

/** Adds the objects of one kind to the result. */
async function listKind(
  resource: Resource,
  { run, target, definition }: Search,
  leftovers: FoundLeftovers,
): Promise<void> {
  const { ctx, module } = run
  const namespace = namespaceOf(definition, target.cluster, run) ?? target.cluster.namespace
  try {
    const { items } = await target.client.list(resource, {
      labelSelector: `${moduleLabel}=${module.metadata.uid}`,
      metadataOnly: true,
      limit: maxRead,
      signal: ctx.signal,
      timeoutMs,
      ...(resource.namespaced && namespace !== undefined && { namespace }),
    })
    leftovers.objects.push(...items.filter(({ metadata }) => metadata.deletionTimestamp === undefined))
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.code)) throw error
    if (error.code === 403) leftovers.forbidden.push(formatResource(resource))
  }
}

/** Whether the garbage collector deletes an object with its owner. */
const hasOwner = ({ metadata }: KubeObject) => (metadata.ownerReferences ?? []).length > 0

/** Names objects for a message; undefined if there are none. */
function namesOf(objects: readonly KubeObject[]): string | undefined {
  if (objects.length === 0) return undefined
  const names = objects.map((object) => `${object.kind} ${formatKey(keyOf(object))}`)
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return `${names.slice(0, maxNames).join(', ')}${more}`
}
