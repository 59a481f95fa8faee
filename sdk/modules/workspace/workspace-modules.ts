// The Modules of a Workspace: their names in messages, and their deletion.
import type { Client } from '../../engine/client/client.js'
import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import type { Workspace } from '../kinds/workspace.js'

/** The maximum number of Modules in a message. */
const maxNames = 10

/** The Modules by their phases. */
export interface ModulesByPhase {
  readonly modules: NonNullable<NonNullable<Workspace['status']>['modules']>
  readonly failed: readonly Module[]
}

/** Counts Modules by their phases. */
export function countModules(all: readonly Module[]): ModulesByPhase {
  const inPhase = (phase: string) => all.filter(({ status }) => status?.phase === phase)
  const failed = inPhase('failed')
  const counts = { ready: inPhase('ready').length, sleeped: inPhase('sleeped').length }
  return { modules: { total: all.length, ...counts, failed: failed.length }, failed }
}

/** Names the Modules that failed; undefined if there are none. */
export function messageOf({ failed }: ModulesByPhase): string | undefined {
  return failed.length === 0 ? undefined : `failed: the Modules ${moduleNames(failed)}`
}

/** Names Modules, by their keys. */
export function moduleNames(list: readonly Module[]): string {
  const names = list.map((module) => formatKey(keyOf(module))).sort()
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return `${names.slice(0, maxNames).join(', ')}${more}`
}

/** Deletes the Modules that are not being deleted yet. */
export async function removeModules(client: Client, list: readonly Module[]): Promise<void> {
  const toDelete = list.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  await Promise.all(toDelete.map((module) => removeModule(client, module)))
}

/** Deletes exactly this Module, by its UID. */
async function removeModule(client: Client, module: Module): Promise<void> {
  const { uid = '' } = module.metadata
  await client.delete(modules, keyOf(module), { uid }).catch((error: unknown) => {
    if (!isNotFound(error) && !isConflict(error)) throw error
  })
}
