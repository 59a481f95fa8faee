// Plugins in the process of a test, reached by the client in Go over a socket.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import type { InternalCnpgPluginOptions } from '../sdk/cnpg/plugin-options.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { type OperatorClient, startClient } from './cnpg-process.js'

/** The name of the plugins. */
export const name = 'hello-world.example.org'

/** A Cluster that names the plugin. */
export const cluster = (texts: Record<string, string> = {}, more: object = {}) => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: { namespace: 'default', name: 'db', creationTimestamp: null },
  spec: { instances: 1, plugins: [{ name, parameters: texts }] },
  ...more,
})

/** The Pod of an instance. */
export const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'db-1' },
  spec: {
    containers: [
      { name: 'postgres', image: 'postgres:17', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
}

/** Serves a plugin on a socket in this process, and asks it. */
export async function served<P>(
  t: Test,
  options: Partial<InternalCnpgPluginOptions<P>>,
  add: (plugin: PluginRuntime<P>) => void,
): Promise<OperatorClient> {
  const folder = mkdtempSync(join(tmpdir(), 'cnpg-'))
  const plugin = new PluginRuntime<P>({
    name,
    version: '0.1.0',
    logger: silentLogger,
    trial: 'always',
    env: {},
    ...options,
    args: ['--plugin-path', folder],
  })
  add(plugin)
  const ended = plugin.start()
  while (!plugin.address) await new Promise((resolve) => setTimeout(resolve, 5))
  const client = startClient(['--socket', plugin.address])
  t.teardown(async () => {
    await client.end()
    await plugin.stop()
    await ended
  })
  return client
}
