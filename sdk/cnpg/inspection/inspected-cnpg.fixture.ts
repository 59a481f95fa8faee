import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestCnpgOperator, testCnpgOperator } from '../../../testing/cnpg/test-operator.js'
import { Probes } from '../../engine/health/probes.js'
import type { Overview } from '../../engine/inspector/model.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { HookError } from '../calls/hook-error.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { PluginRuntime } from '../plugin.js'

/** A plugin that runs with its inspector, and an operator that calls it. */
export interface InspectedCnpg {
  /** Of the inspection server. */
  readonly url: string
  readonly operator: TestCnpgOperator
  overview(): Promise<Overview>
}

/** The name of the plugin. */
export const pluginName = 'keys.example.org'
/** The password that the plugin gives to containers. */
export const password = 'correct horse battery'

/** A Cluster that names the plugin. */
export const clusterOf = (parameters: Record<string, string> = {}): CnpgCluster => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: { namespace: 'default', name: 'db' },
  spec: { instances: 1, plugins: [{ name: pluginName, parameters }] },
})

/**
 * A plugin whose hook gives Pods a label and a password, fails for the parameter `wrong`, and refuses the parameter
 * `refused`.
 */
function keysPlugin(options: { env: Record<string, string>; probes: Probes; onUrl: (url: string) => void }) {
  const { env, probes, onUrl } = options
  const info = (fields: object) => {
    if ('url' in fields) onUrl(String(fields.url))
  }
  const plugin = new PluginRuntime({
    name: pluginName,
    version: '0.1.0',
    env,
    probes,
    args: [],
    logger: { ...silentLogger, child: () => silentLogger, info },
    trial: 'never',
  })
  plugin.cluster({
    validateCreate(ctx) {
      if (ctx.parameters.refused) ctx.refuse(['refused'], 'must not be refused')
    },
  })
  return plugin.pods({
    instance({ parameters }, pod) {
      if (parameters.wrong) throw new HookError(`the key ${parameters.wrong} does not exist`)
      pod.metadata.labels = { ...pod.metadata.labels, keys: 'yes' }
      for (const container of pod.spec?.containers ?? []) container.env = [{ name: 'KEY', value: password }]
    },
  })
}

/** Starts the plugin. It stops when the test ends. */
export async function inspectedCnpg(
  t: { teardown(done: () => Promise<void>): void },
  env: Record<string, string> = { VCLUSTER_PLUGIN_INSPECT: '1' },
): Promise<InspectedCnpg> {
  const folder = await mkdtemp(join(tmpdir(), 'cnpg-'))
  let url = ''
  const onUrl = (one: string) => {
    url ||= one
  }
  const plugin = keysPlugin({ env: { ...env, PLUGIN_PATH: folder }, probes: new Probes(env), onUrl })
  const ended = plugin.start()
  t.teardown(async () => {
    await plugin.stop()
    await rm(folder, { recursive: true, force: true })
  })
  while (plugin.address === undefined) await Promise.race([ended, new Promise(setImmediate)])
  return {
    url,
    operator: await testCnpgOperator(plugin),
    overview: async () => (await (await fetch(`${url}/inspector/api/overview`)).json()) as Overview,
  }
}
