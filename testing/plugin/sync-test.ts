import { createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { type ClusterStates, compareCluster, createObjects } from '../compare/cluster-state.js'
import { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './test-plugin.js'

/** A test of a plugin by state: objects before, an action, and objects after. */
export interface SyncTest {
  /** Registers the plugin's syncers. */
  readonly register: Register
  /** The objects in the clusters before the plugin starts; default none. Their namespaces are created as needed. */
  readonly initial?: ClusterStates
  /** The action, run once the plugin has settled; default none. */
  readonly run?: (test: TestPlugin) => Promise<unknown>
  /**
   * The objects in the clusters at the end: for each listed kind, exactly these objects. Defaults of the API server,
   * the addresses and ports that it allocates, owner references, a status, and vcluster's labels and annotations may be
   * left out: they are compared only if the expected object has them. Never compared are the UIDs of owners, and the
   * metadata that an API server sets, such as `generation`. Objects that every cluster creates by itself may be left
   * out, too, such as the Namespace `default`.
   */
  readonly expected: ClusterStates
  readonly options?: TestPluginOptions
}

const clusterNames = ['virtual', 'host'] as const

/**
 * Runs a plugin on given objects in both embedded clusters and compares the result. It corresponds to the Go SDK's
 * `SyncTest` (`syncer/testing/testing.go` @ vcluster-sdk v0.4.2), with API servers in place of fake clients. Throws an
 * error that names every object which is missing, different or unexpected.
 *
 * @example
 * ```ts
 * const settings = (namespace: string, name: string) => ({ metadata: { namespace, name }, data: { color: 'blue' } })
 * await syncTest({
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   initial: { virtual: [{ resource: configMaps, objects: [settings('team', 'web')] }] },
 *   expected: { host: [{ resource: configMaps, objects: [settings('vcluster-vc', 'web-x-team-x-vc')] }] },
 * })
 * ```
 */
export async function syncTest({
  register,
  initial = {},
  run,
  expected,
  options = {},
}: SyncTest): Promise<void> {
  const servers = {
    virtualServer: options.virtualServer ?? (await createApiServer({ name: 'virtual' })),
    hostServer: options.hostServer ?? (await createApiServer({ name: 'host' })),
  }
  const clients: Record<Side, Client> = {
    virtual: createClient({ transport: inProcessTransport(servers.virtualServer) }),
    host: createClient({ transport: inProcessTransport(servers.hostServer) }),
  }
  for (const side of clusterNames) await createObjects(clients[side], initial[side] ?? [])
  const test = await testPlugin(register, { ...options, ...servers })
  try {
    await run?.(test)
    await test.settled()
    await expectStates(clients, expected)
  } finally {
    await test.stop()
  }
}

async function expectStates(clients: Record<Side, Client>, expected: ClusterStates): Promise<void> {
  const problems: string[] = []
  for (const side of clusterNames)
    problems.push(...(await compareCluster(side, clients[side], expected[side] ?? [])))
  if (problems.length > 0)
    throw new Error(`the clusters do not hold the expected objects:\n  ${problems.join('\n  ')}`)
}
