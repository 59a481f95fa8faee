/** Two embedded clusters with the example between them in its own process, for tests of recovery. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import type { ApiServerOptions } from '../apiserver/server/options.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, namespaces, services } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { freePorts } from '../simulator/free-ports.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { type PluginProcess, startPlugin } from './plugin-process.js'

/** The host namespace of the copies. */
export const target = 'vc-host'
/** A kube-apiserver sends one bookmark per minute. */
const bookmarkIntervalMs = 1000
/** The key of a ConfigMap of the tests. */
export const original = (name: string) => ({ namespace: 'default', name })
/** The key of its copy. */
export const copy = (name: string) => ({ namespace: target, name: `${name}-x-default-x-vc` })
/** A merge patch. */
export const merge = (body: object) => ({ type: 'merge', body }) as const

interface Bound extends KubeObject {
  rules?: unknown
  roleRef?: unknown
  subjects?: unknown
}

const rbac = (kind: string): Resource<Bound> => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
})
/** Roles of the host. */
export const roles = rbac('Role')
const bindings = rbac('RoleBinding')

/** The plugin's permissions on the host. */
export const rules = [
  {
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'watch'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
  },
]

/** Two clusters, and the plugin between them with the minimal permissions. */
export interface RecoveryEnvironment {
  /** Deleted with the test. */
  readonly folder: string
  readonly virtual: Client
  readonly host: Client
  readonly virtualServer: ApiServer
  readonly hostServer: ApiServer
  /**
   * Starts a plugin as this user of the host, with more environment variables and kubeconfigs that `via` may
   * change.
   */
  start(
    user: string,
    env?: Record<string, string>,
    via?: (kubeconfig: string) => string,
  ): Promise<PluginProcess>
  bind(user: string): Promise<unknown>
  write(name: string): Promise<unknown>
}

/**
 * Opens both clusters with the additional options `more`. They and all started plugins stop with the test.
 */
export async function openRecoveryEnvironment(
  t: Test,
  more: ApiServerOptions = {},
): Promise<RecoveryEnvironment> {
  const virtualServer = await createApiServer({ ...more, name: 'virtual', bookmarkIntervalMs })
  const hostServer = await createApiServer({
    ...more,
    name: 'host',
    authorization: 'rbac',
    bookmarkIntervalMs,
  })
  t.teardown(() => Promise.all([virtualServer.close(), hostServer.close()]))
  // Ports that no outgoing connection takes while a server is down.
  const [virtualPort = 0, hostPort = 0] = await freePorts(2)
  await Promise.all([virtualServer.listen({ port: virtualPort }), hostServer.listen({ port: hostPort })])
  const virtual = createClient({ transport: inProcessTransport(virtualServer) })
  const host = createClient({ transport: inProcessTransport(hostServer) })
  await host.create(namespaces, { metadata: { name: target } })
  await host.create(services, {
    metadata: { namespace: target, name: 'vc' },
    spec: { ports: [{ port: 443 }] },
  })
  await host.create(roles, { metadata: { namespace: target, name: 'plugin' }, rules })
  const folder = await mkdtemp(join(tmpdir(), 'recovery-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const bind = (user: string) =>
    host.create(bindings, {
      metadata: { namespace: target, name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'plugin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    })
  const start = async (
    user: string,
    env: Record<string, string> = {},
    via = (kubeconfig: string) => kubeconfig,
  ) => {
    const file = async (name: string, text: string) => {
      const path = join(folder, name)
      await writeFile(path, text, { mode: 0o600 })
      return path
    }
    const plugin = startPlugin('examples/sync-all-configmaps/main.ts', {
      VIRTUAL_KUBECONFIG: await file('virtual', via(await virtualServer.kubeconfig({ user }))),
      HOST_KUBECONFIG: await file(user, via(await hostServer.kubeconfig({ user, groups: [] }))),
      VCLUSTER_NAME: 'vc',
      TARGET_NAMESPACE: target,
      ...env,
    })
    t.teardown(() => plugin.end('SIGKILL'))
    return plugin
  }
  const write = (name: string) => virtual.create(configMaps, { metadata: original(name), data: { name } })
  return { folder, virtual, host, virtualServer, hostServer, start, bind, write }
}

/** The data of a ConfigMap's copy; undefined if it does not exist. */
export async function dataOf(host: Client, name: string): Promise<Record<string, string> | undefined> {
  try {
    return (await host.get(configMaps, copy(name))).data ?? {}
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
