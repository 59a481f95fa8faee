/**
 * `vcluster-plugin crd migrate`: writes every object of a kind once, so that the API server stores it in the storage
 * version, then takes the other versions out of `status.storedVersions`.
 *
 * It can be interrupted at any point and run again: it only repeats writes that change nothing.
 */
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { resourceOf } from '../../sdk/engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { isConflict, isNotFound, PluginError } from '../../sdk/engine/kube/error.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { type Clock, sleep, systemClock } from '../../sdk/engine/time/clock.js'
import type { UserKubeconfigOptions } from '../clusters/user-kubeconfig.js'
import { withCluster } from './with-cluster.js'

/** Options of `vcluster-plugin crd migrate`. */
export interface MigrateOptions extends UserKubeconfigOptions {
  /** The name of the definition, `<plural>.<group>`. */
  definition: string
}

/** The number of objects that are written at a time. */
const concurrency = 8

/** Runs the command. */
export function runMigrate(options: MigrateOptions): Promise<void> {
  return withCluster(options, async (transport) => {
    const { written, storage } = await migrate(createClient({ transport }), options.definition)
    process.stdout.write(`${options.definition}: wrote ${written} objects; storedVersions is [${storage}]\n`)
  })
}

/** The result of a migration. */
export interface MigrationResult {
  /** The number of objects that were written. */
  readonly written: number
  /** The only version that objects are stored in. */
  readonly storage: string
}

/** Options of {@link migrate}. */
export interface MigrationOptions {
  /**
   * The time that API servers get to notice a change of the definition, in milliseconds; default 10,000. Until then an
   * API server still writes the old version.
   */
  readonly settleMs?: number
  /** Default the machine's. */
  readonly clock?: Clock
}

/** The time of the last change of a definition, in milliseconds. */
function lastChange({ metadata }: CustomResourceDefinition): number {
  const entries = (metadata.managedFields ?? []) as readonly { time?: string }[]
  return Math.max(0, ...entries.map(({ time = '' }) => Date.parse(time) || 0))
}

/**
 * Migrates the objects of a definition. Throws `PluginError` `CRD_DIFFERS` if the storage version changes meanwhile.
 */
export async function migrate(
  client: Client,
  name: string,
  { settleMs = 10_000, clock = systemClock }: MigrationOptions = {},
): Promise<MigrationResult> {
  const definition = await client.get(customResourceDefinitions, { namespace: '', name })
  // The age is negative if the clock of this machine is behind that of the API server.
  const age = Math.max(0, clock.date().getTime() - lastChange(definition))
  await sleep(clock, Math.max(0, settleMs - age))
  const resource = resourceOf(definition)
  const { items } = await client.listAll(resource)
  for (let start = 0; start < items.length; start += concurrency) {
    await Promise.all(
      items.slice(start, start + concurrency).map((object) => rewrite(client, definition, object)),
    )
  }
  await trimStoredVersions(client, definition)
  return { written: items.length, storage: resource.version }
}

/** Writes an object unchanged. An object that somebody else wrote or deleted meanwhile needs no write. */
async function rewrite(
  client: Client,
  definition: CustomResourceDefinition,
  object: KubeObject,
): Promise<void> {
  const resource = resourceOf(definition)
  try {
    await client.update(resource, {
      apiVersion: `${resource.group}/${resource.version}`,
      kind: resource.kind,
      ...object,
    })
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error))
      throw new Error(`${formatName(object)} cannot be written: ${String(error)}`, { cause: error })
  }
}

const formatName = (object: KubeObject) => {
  const { namespace = '', name } = keyOf(object)
  return namespace === '' ? name : `${namespace}/${name}`
}

async function trimStoredVersions(client: Client, before: CustomResourceDefinition): Promise<void> {
  const { name = '' } = before.metadata
  const storage = resourceOf(before).version
  const now = await client.get(customResourceDefinitions, { namespace: '', name })
  if (now.metadata.uid !== before.metadata.uid || resourceOf(now).version !== storage) {
    throw new PluginError('CRD_DIFFERS', `${name} changed during the migration; run it again`)
  }
  const stored = now.status?.storedVersions ?? []
  if (stored.length === 1 && stored[0] === storage) return
  const body = {
    metadata: { resourceVersion: now.metadata.resourceVersion },
    status: { storedVersions: [storage] },
  }
  await client.patch(
    customResourceDefinitions,
    { namespace: '', name },
    { type: 'merge', body, subresource: 'status' },
  )
}
