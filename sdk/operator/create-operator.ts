import { env as processEnv } from 'node:process'
import { Probes } from '../engine/health/probes.js'
import { checkEachOption, checkOptions, type OptionTypes } from '../engine/manager/check-options.js'
import { processMemory } from '../engine/observe/memory.js'
import type { Operator } from './operator.js'
import type { ClusterAddress, OperatorOptions } from './operator-options.js'
import { createInternalOperator } from './operator-runtime.js'
import type { WebhookOptions } from './webhook/webhook-options.js'

const webhookTypes: OptionTypes<WebhookOptions> = {
  kinds: 'any',
  port: 'any',
  host: 'any',
  reads: 'any',
  certificate: 'any',
  service: 'any',
  url: 'any',
  secret: 'any',
  serviceAccount: 'any',
}

const addressTypes: OptionTypes<ClusterAddress> = { kubeconfig: 'any', context: 'any' }

const optionTypes: OptionTypes<OperatorOptions> = {
  name: 'any',
  clusters: 'object',
  namespace: 'any',
  leaderElection: 'any',
  shards: 'any',
  leaseNamespace: 'any',
  webhooks: webhookTypes,
  stopDeadlineMs: 'any',
  env: 'object',
  logger: 'object',
  metrics: 'object',
  clock: 'object',
}

/**
 * Makes the operator of a process. It stops at SIGTERM and SIGINT, and serves health and metrics at `METRICS_ADDRESS`,
 * by default on loopback at a free port.
 *
 * @example
 * ```ts
 * const operator = createOperator({ name: 'memcached-operator' })
 * operator.register(backupController)
 * await operator.start()
 * ```
 */
export function createOperator(options: OperatorOptions): Operator {
  checkOptions('createOperator', options, optionTypes)
  // A program without options, whose types are not checked, learns that the name is missing.
  const { env = processEnv, clusters } = { ...options }
  checkEachOption('createOperator', { clusters }, addressTypes)
  return createInternalOperator({
    memory: processMemory(),
    ...options,
    probes: new Probes(env),
    stopsOnSignals: true,
  })
}
