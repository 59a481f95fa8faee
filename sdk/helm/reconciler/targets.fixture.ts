import type { Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { type TestPluginOptions, testPlugin } from '../../../testing/plugin/test-plugin.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { customResourceDefinitions, secrets } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { functionChart } from '../chart/function-chart.js'
import { configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import type { HelmControllerOptions } from './options/options.js'

export const hostNamespace = 'vcluster-vc'

/** A server that serves the kind. */
async function served(name: string) {
  const server = await createApiServer({ name })
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, definition)
  const isServed = () =>
    client.list(greetings).then(
      () => true,
      () => false,
    )
  while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
  return { server, client }
}

export const textOf = functionChart(
  { name: 'text', version: '1.0.0' },
  ({ text = 'a', at, called, labels = {} }, { name }) => [
    {
      ...configMap(name, { text: String(text) }),
      metadata: {
        name: called ? String(called) : name,
        labels: labels as Record<string, string>,
        ...(at ? { namespace: String(at) } : {}),
      },
    },
  ],
)

/** Starts a plugin with a reconciler between two clusters that serve its kind. */
export function start(
  t: Test,
  options: Partial<HelmControllerOptions>,
  pluginOptions: TestPluginOptions = {},
) {
  return startReconciler(t, helmController({ resource: kind, chart: textOf, ...options }), pluginOptions)
}

/** Starts a plugin with this reconciler. */
export async function startReconciler(
  t: Test,
  reconciler: ReturnType<typeof helmController>,
  pluginOptions: TestPluginOptions = {},
) {
  const [virtual, host] = [await served('virtual'), await served('host')]
  const test = await testPlugin((plugin) => plugin.register(reconciler), {
    virtualServer: virtual.server,
    hostServer: host.server,
    logger: silentLogger,
    ...pluginOptions,
  })
  t.teardown(() => test.stop())
  return test
}

export const recordsOf = async (client: Client, namespace: string) =>
  (await client.list(secrets, { namespace })).items.filter(({ type }) => type === 'helm.sh/release.v1')
export const conditionOf = async (client: Client, type: string) =>
  (await client.get(greetings, key)).status?.conditions?.find((one) => one.type === type)
