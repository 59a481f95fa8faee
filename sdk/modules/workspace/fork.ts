/**
 * Forks: a Workspace that begins with copies of the Modules of another one. The names of the copies are derived from
 * both Workspaces, so that an interrupted fork can continue. The source is only read.
 */
import { createHash } from 'node:crypto'
import type { Client } from '../../engine/client/client.js'
import { isAlreadyExists, PermanentError } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import type { ForkedData, Workspace, WorkspaceFork } from '../kinds/workspace.js'
import type { ModulesOptions } from '../module/connection/modules-options.js'

/** The label of a Module that was copied: the UID of its source. */
const forkedFromLabel = 'forkspacer.com/forked-from'

/** The maximum number of characters that the name of a copy takes from the name of its source. */
const maxNameLength = 200

/** The parts of a fork. */
export interface ForkOptions {
  readonly client: Client
  readonly signal: AbortSignal
  readonly workspace: Workspace
  /** The Workspace that is copied; undefined if it does not exist. */
  readonly source: Workspace | undefined
  readonly modulesOfSource: readonly Module[]
  /** The data of the Modules of the source, for a fork with `migrateData`. */
  planData(): Promise<ForkedData[]>
}

/** Throws a `PermanentError` for a fork that this operator does not allow. */
export function checkFork(
  { metadata, spec }: Pick<Workspace, 'metadata' | 'spec'>,
  { forks = 'same-namespace', forkData }: Pick<ModulesOptions, 'forks' | 'forkData'>,
): void {
  const refusalError = (why: string) =>
    new PermanentError(`Workspace ${metadata.namespace}/${metadata.name}: ${why}`)
  const { from } = spec
  if (!from) return
  if (from.migrateData && !forkData)
    throw refusalError(
      'from.migrateData is not supported here: set forkData in the options of moduleControllers, or migrateData to false',
    )
  if (from.namespace === metadata.namespace && from.name === metadata.name)
    throw refusalError('from names the Workspace itself: name another one')
  if (forks === 'same-namespace' && from.namespace !== metadata.namespace)
    throw refusalError(
      `from names the namespace ${from.namespace}, whose Modules its users may not be able to read: name a Workspace ` +
        'of the same namespace, or set forks to all-namespaces in the options of moduleControllers',
    )
}

/** Copies the Modules of a fork once, and returns its record; undefined if the Workspace is not a fork. */
export async function continueFork(options: ForkOptions): Promise<WorkspaceFork | undefined> {
  const { workspace, source, modulesOfSource } = options
  const { from } = workspace.spec
  const recordedFork = workspace.status?.fork
  if (!from) return undefined
  if (recordedFork && recordedFork.phase !== 'waiting') return recordedFork
  const why = reasonToWait(source, from.migrateData)
  if (!source || why !== undefined)
    return { phase: 'waiting', message: `waits for Workspace ${formatKey(from)} to be ready: it ${why}` }
  const data = from.migrateData ? await options.planData() : []
  const skipped: string[] = []
  let count = 0
  for (const module of modulesOfSource) {
    const copy = copyOf(module, workspace)
    if (!copy) skipped.push(module.metadata.name ?? '')
    else if (await createCopy(copy, options)) count++
  }
  const message = `not copied, because they adopted a release: ${skipped.sort().join(', ')}`
  const phase = data.length > 0 ? 'copying' : 'done'
  return {
    phase,
    modules: count,
    ...(skipped.length > 0 && { message }),
    ...(data.length > 0 && { data }),
  }
}

/**
 * The reason why a source cannot be copied yet; undefined if it can. Volumes are copied while their Modules sleep, so a
 * fork with data may also begin with a source that is hibernated.
 */
function reasonToWait(source: Workspace | undefined, migrateData: boolean): string | undefined {
  if (!source) return 'does not exist; create it, or delete the fork'
  const { ready = false, phase = 'installing', message, fork } = source.status ?? {}
  if (source.metadata.deletionTimestamp) return 'is being deleted; delete the fork'
  if (fork && fork.phase !== 'done') return 'is a fork that is not complete'
  if (ready || (migrateData && phase === 'hibernated')) return undefined
  if (phase === 'hibernated') return 'is hibernated; set its spec.hibernated to false'
  return message === undefined ? `is ${phase}` : `is ${phase}: ${message}`
}

/** The name of the copy of a Module. It is the same in each run. */
export function nameOfCopy(
  { metadata: { namespace, name = '' } }: Pick<Module, 'metadata'>,
  { metadata }: Pick<Workspace, 'metadata'>,
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([metadata.namespace, metadata.name, namespace, name]))
    .digest('hex')
    .slice(0, 8)
  return `${name.slice(0, maxNameLength)}-${hash}`
}

/** The copy of a Module; undefined for one that adopted a release, which two Modules cannot share. */
function copyOf(module: Module, { metadata }: Workspace): Module | undefined {
  const { namespace = '', name = '' } = metadata
  const { source, helm } = module.spec
  if (source?.existingHelmRelease || helm?.existingRelease) return undefined
  const { releaseName: _, ...helmSpec } = helm ?? {}
  const original = module.metadata
  return {
    metadata: {
      namespace,
      name: nameOfCopy(module, { metadata }),
      labels: { [forkedFromLabel]: original.uid ?? '' },
    },
    ...(module.config && { config: module.config }),
    spec: { ...module.spec, ...(helm && { helm: helmSpec }), workspace: { name, namespace } },
  } as Module
}

/** Creates a copy unless it exists. Throws if another Module has its name. */
async function createCopy(copy: Module, { client, signal }: ForkOptions): Promise<true> {
  try {
    await client.create(modules, copy, { signal })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const live = await client.get(modules, keyOf(copy), { signal })
    if (live.metadata.deletionTimestamp)
      throw new Error(
        `Module ${formatKey(keyOf(copy))} is being deleted; it is created again when it is gone`,
      )
    const isCopy = live.metadata.labels?.[forkedFromLabel] === copy.metadata.labels?.[forkedFromLabel]
    if (!isCopy) throw new Error(`Module ${formatKey(keyOf(copy))} exists and is not the copy: delete it`)
  }
  return true
}
