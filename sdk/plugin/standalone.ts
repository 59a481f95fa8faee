import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { createClient } from '../client/create-client.js'
import { PluginError } from '../kube/error.js'
import { leaseLeadership } from '../leader/lease-leadership.js'
import { safeConcatName } from '../translator/names.js'
import { createTransport } from '../transport/create-transport.js'
import { readKubeconfig } from '../transport/kubeconfig.js'
import type { OpenSessionOptions, Session } from './session.js'

const required = ['VIRTUAL_KUBECONFIG', 'HOST_KUBECONFIG', 'VCLUSTER_NAME', 'TARGET_NAMESPACE'] as const

/** A session without a vcluster process: two kubeconfig files, and a Lease in the target namespace. */
export async function openStandalone(options: OpenSessionOptions): Promise<Session> {
  const { env, labelMode = 'reserved', logger, metrics, clock } = options
  const given = read(env)
  const pluginName = options.name ?? nameOfProgram()
  const transportTo = async (cluster: 'virtual' | 'host', file: string) =>
    createTransport({
      kubeconfig: await readKubeconfig(file),
      plugin: pluginName,
      cluster,
      logger,
      metrics,
      clock,
    })
  const virtual = await transportTo('virtual', given.VIRTUAL_KUBECONFIG)
  const host = await transportTo('host', given.HOST_KUBECONFIG)
  const namespace = given.TARGET_NAMESPACE
  const name = safeConcatName(given.VCLUSTER_NAME, 'plugin', pluginName)
  return {
    facts: {
      pluginName,
      vclusterName: given.VCLUSTER_NAME,
      targetNamespace: namespace,
      currentNamespace: namespace,
      labelMode,
      ownerService: given.VCLUSTER_NAME,
    },
    virtual,
    host,
    announce: async () => {},
    // The Lease is what opens the write gate, so its own writes pass none.
    lead: (signal) =>
      leaseLeadership({
        client: createClient({ transport: host }),
        namespace,
        name,
        identity: identity(),
        clock,
        logger,
        signal,
      }),
    close: async () => {
      await Promise.all([virtual.close(), host.close()])
    },
  }
}

function read(env: OpenSessionOptions['env']): Record<(typeof required)[number], string> {
  const missing = required.filter((name) => !env[name])
  if (missing.length > 0) {
    throw new PluginError(
      'MISSING_ENVIRONMENT',
      `to run on its own a plugin needs ${required.join(', ')}; not set: ${missing.join(', ')}. Beside a vcluster VCLUSTER_PLUGIN_NAME is set instead.`,
    )
  }
  return Object.fromEntries(required.map((name) => [name, env[name] ?? ''])) as Record<
    (typeof required)[number],
    string
  >
}

/** The folder of the program, `sync-all-configmaps` for `examples/sync-all-configmaps/main.ts`. */
function nameOfProgram(): string {
  return basename(dirname(process.argv[1] ?? '')) || 'plugin'
}

/** As client-go's examples: the host's name, and something that two processes of one host do not share. */
function identity(): string {
  return `${hostname()}_${crypto.randomUUID()}`
}
