import { PluginError } from '../engine/kube/error.js'
import { maxShards } from '../engine/leader/shard-count.js'
import type { RegistrableController } from './engine/controller.js'
import type { OperatorOptions } from './operator-options.js'

/**
 * Throws a `PluginError` `INVALID_SHARDS` for a number of shards that is not an integer from 1 to 64, and for options
 * that need one leader of everything.
 */
export function checkShards({ shards = 1, leaderElection = true, webhooks }: OperatorOptions): void {
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards)
    throw new PluginError('INVALID_SHARDS', `shards must be an integer from 1 to ${maxShards}, got ${shards}`)
  if (shards === 1) return
  if (!leaderElection)
    throw new PluginError(
      'INVALID_SHARDS',
      `shards is ${shards}, but leaderElection is false: each shard needs a Lease. Leave one of them out.`,
    )
  if (webhooks?.certificate === 'selfSigned')
    throw new PluginError(
      'INVALID_SHARDS',
      `shards is ${shards}, but one leader has to keep a selfSigned certificate: use the files of cert-manager, or one shard`,
    )
}

/**
 * Throws a `PluginError` `INVALID_REGISTRATION` for a controller whose objects take turns: replicas that share the work
 * do not know what the others run.
 */
export function checkSharable(
  { name, options }: Pick<RegistrableController, 'name' | 'options'>,
  shards = 1,
): void {
  if (shards === 1 || !options.serializeBy) return
  throw new PluginError(
    'INVALID_REGISTRATION',
    `controller ${name}: serializeBy needs one replica that runs every object, but the operator has ${shards} shards. Leave out ` +
      'shards or serializeBy.',
  )
}
