import { env as processEnv } from 'node:process'
import { Probes } from '../engine/health/probes.js'
import { explainFailure } from '../engine/manager/explain-failure.js'
import type { CnpgPlugin } from './cnpg-plugin.js'
import { PluginRuntime } from './plugin.js'
import type { CnpgPluginOptions } from './plugin-options.js'

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
 * @throws `PluginError` `INVALID_NAME` or `INVALID_ADDRESS`
 */
export function createCnpgPlugin<P = Record<string, string>>(options: CnpgPluginOptions<P>): CnpgPlugin<P> {
  try {
    return new PluginRuntime({
      ...options,
      probes: new Probes(options.env ?? processEnv),
      stopsOnSignals: true,
    })
  } catch (error) {
    explainFailure(error)
    throw error
  }
}
