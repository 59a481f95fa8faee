// The admission webhooks of a CNPG-I plugin on a real API server, which calls them on loopback.
import t from 'tap'
import { parameters, register } from '../examples/cnpg-hello-world/hello.js'
import { type CnpgCluster, clusters } from '../sdk/cnpg/cluster/cluster.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { clusterWebhookConfigurations } from '../sdk/cnpg/webhook/configurations.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../sdk/engine/kube/builtin.js'
import { ApiError } from '../sdk/engine/kube/error.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../sdk/engine/webhook/configuration/webhook-configuration.js'
import { serverFlags, writeCertificates } from './cnpg-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets()
const name = 'hello-world.example.org'
const text = '{"plugin-metadata":"default"}'

/** As much of CloudNativePG's definition as the API server needs. */
const definition: CustomResourceDefinition = {
  metadata: { name: 'clusters.postgresql.cnpg.io' },
  spec: {
    group: 'postgresql.cnpg.io',
    scope: 'Namespaced',
    names: { kind: 'Cluster', plural: 'clusters' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
}

void t.test(
  'a real API server asks a plugin about Clusters that name it',
  { skip, timeout: 600_000 },
  async (t) => {
    const cluster = await startRealCluster()
    t.teardown(() => cluster.stop())
    const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: cluster.kubeconfigFile }) })
    t.teardown(() => transport.close())
    const client = createClient({ transport })

    const files = writeCertificates(t.testdir(), ['hello-world', 'localhost'])
    const args = [...serverFlags('127.0.0.1:0', files), '--webhook-address', '127.0.0.1:0']
    const plugin = new PluginRuntime({
      name,
      version: '0.1.0',
      logger: silentLogger,
      env: {},
      args,
      parameters,
    })
    register(plugin)
    const ended = plugin.start()
    while (plugin.address === undefined) await new Promise((resolve) => setTimeout(resolve, 5))

    const endpoint = { url: `https://localhost:${plugin.webhookPort}` }
    const [defaults, validation] = clusterWebhookConfigurations({
      name,
      endpoint,
      authorities: [files.serverCa],
    })
    if (!defaults || !validation) throw new Error('two configurations are expected')
    await client.create(customResourceDefinitions, definition)
    await client.create(mutatingWebhookConfigurations, defaults)
    await client.create(validatingWebhookConfigurations, validation)

    const make = (called: string, spec: CnpgCluster['spec']) => ({
      metadata: { namespace: 'default', name: called },
      spec,
    })
    const named = (texts: Record<string, string>) => ({ plugins: [{ name, parameters: texts }] })
    const create = (object: CnpgCluster) => client.create(clusters, object)
    const refusedWith = (error: unknown) => (error instanceof ApiError ? error.status : error)

    // The configurations are known to the API server a moment after they are stored.
    let filled: CnpgCluster
    for (let at = 0; ; at++) {
      filled = await create(make(`filled-${at}`, named({}))).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 404) return make('not-served', named({}))
        throw error
      })
      if (filled.spec.plugins?.[0]?.parameters?.labels !== undefined) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    t.same(filled.spec.plugins?.[0]?.parameters, { labels: text, annotations: text })

    const invalid = make('mistaken', named({ labels: '{x' }))
    // The validating configuration is known by another informer.
    await until(() =>
      client.create(clusters, invalid, { dryRun: true }).then(
        () => false,
        () => true,
      ),
    )
    const mistaken = await create(invalid).catch(refusedWith)
    t.match(mistaken, {
      code: 422,
      reason: 'Invalid',
      message: `spec.plugins.0.parameters.labels: Invalid value: "{x": is not JSON`,
      details: { causes: [{ reason: 'FieldValueInvalid', field: 'spec.plugins.0.parameters.labels' }] },
    })
    const changed = { ...filled, spec: named({ labels: '{"a":"1"}', annotations: text }) }
    t.match(await client.update(clusters, changed).catch(refusedWith), {
      code: 422,
      message: 'labels cannot be changed',
    })
    t.ok(await create(make('without', { instances: 1 })), 'a Cluster without the plugin is not reviewed')

    await plugin.stop()
    await ended
    t.match(await create(make('down', named({}))).catch(refusedWith), {
      code: 500,
      message: `default.${name}`,
    })
    t.ok(
      await create(make('disabled', { plugins: [{ name, enabled: false }] })),
      'a disabled plugin is not asked',
    )
  },
)
