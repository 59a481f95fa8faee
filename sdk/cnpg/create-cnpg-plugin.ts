import { env as processEnv } from 'node:process'
import { Probes } from '../engine/health/probes.js'
import { checkEachOption, checkOptions, type OptionTypes } from '../engine/manager/check-options.js'
import { explainFailure } from '../engine/manager/explain-failure.js'
import type { CnpgPlugin } from './cnpg-plugin.js'
import type { ClusterPermission } from './lazy-cluster-client.js'
import { PluginRuntime } from './plugin.js'
import type { CnpgPluginOptions } from './plugin-options.js'

const optionTypes: OptionTypes<CnpgPluginOptions<unknown>> = {
  name: 'any',
  version: 'any',
  displayName: 'any',
  description: 'any',
  projectUrl: 'any',
  repositoryUrl: 'any',
  license: 'any',
  licenseUrl: 'any',
  maturity: 'any',
  vendor: 'any',
  parameters: 'object',
  permissions: 'object',
  client: 'object',
  args: 'object',
  env: 'object',
  logger: 'object',
  metrics: 'object',
  clock: 'object',
  stopDeadlineMs: 'any',
}

const permissionTypes: OptionTypes<ClusterPermission> = {
  group: 'any',
  resource: 'any',
  verbs: 'any',
  namespace: 'any',
}

/**
 * Makes the CNPG-I plugin of a process. It listens where its flags say (`--server-address` with certificates, or
 * `--plugin-path`; by default on the socket `/plugins/<name>`), stops at SIGTERM and SIGINT, and serves health and
 * metrics at `METRICS_ADDRESS`, by default on loopback at a free port.
 *
 * @example
 * ```ts
 * const plugin = createCnpgPlugin({
 *   name: 'hello.example.org',
 *   version: '0.1.0',
 *   parameters: z.object({ greeting: z.string().default('hello') }),
 * })
 * plugin.pods({
 *   instance(ctx, pod) {
 *     pod.metadata.labels = { ...pod.metadata.labels, greeting: ctx.parameters.greeting }
 *   },
 * })
 * await plugin.start()
 * ```
 *
 * @throws `PluginError` `INVALID_NAME` or `INVALID_ADDRESS`, and a `TypeError` for an option that does not exist
 */
export function createCnpgPlugin<P = Record<string, string>>(options: CnpgPluginOptions<P>): CnpgPlugin<P> {
  checkOptions('createCnpgPlugin', options, optionTypes)
  // A program without options, whose types are not checked, learns that the name is missing.
  const { env = processEnv, permissions } = { ...options }
  checkEachOption('createCnpgPlugin', { permissions }, permissionTypes)
  try {
    return new PluginRuntime({
      ...options,
      probes: new Probes(env),
      stopsOnSignals: true,
    })
  } catch (error) {
    explainFailure(error)
    throw error
  }
}
