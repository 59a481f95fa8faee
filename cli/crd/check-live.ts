import type { Client } from '../../sdk/engine/client/client.js'
import { resourceOf } from '../../sdk/engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { UserKubeconfigOptions } from '../clusters/user-kubeconfig.js'
import { type CheckedDefinition, withoutUnchecked } from '../definitions/check-definitions.js'
import { EmbeddedCheck } from '../definitions/embedded-check.js'
import { type CheckLine, differenceLines } from './compare-with-file.js'
import { withCluster } from './with-cluster.js'

/**
 * Compares definitions with those of a cluster, and finds objects that the new ones would refuse: such an object can no
 * longer be changed where ratcheting does not help.
 */
export function checkLive(
  kinds: readonly CheckedDefinition[],
  options: UserKubeconfigOptions,
): Promise<CheckLine[]> {
  return withCluster(options, async (client) => {
    const lines = await Promise.all(kinds.map((kind) => checkOne(kind, client)))
    return lines.flat()
  })
}

async function checkOne(kind: CheckedDefinition, client: Client): Promise<CheckLine[]> {
  const { definition } = kind
  const { name } = definition.metadata
  const installed = await findDefinition(client, name ?? '')
  if (installed === undefined) {
    return [
      { level: 'warning', sentence: `${name} is not installed in the cluster; there is nothing to compare` },
    ]
  }
  return [
    ...differenceLines(installed, definition),
    ...(await rejectedIn(withoutUnchecked(kind), installed, client)),
  ]
}

async function findDefinition(client: Client, name: string): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.get(customResourceDefinitions, { namespace: '', name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * The installed objects that the new definition rejects. They are read in a version that both definitions have; without
 * such a version a conversion decides, and nothing is checked.
 */
async function rejectedIn(
  definition: CustomResourceDefinition,
  installed: CustomResourceDefinition,
  client: Client,
): Promise<CheckLine[]> {
  const hub = resourceOf(definition)
  const isServed = installed.spec.versions.some(({ name, served }) => served && name === hub.version)
  if (!isServed) return []
  const { items } = await client.listAll(hub)
  const server = await EmbeddedCheck.start()
  try {
    await server.install(definition)
    const rejected = await server.rejectedObjects(definition, items)
    return rejected.map(({ name, message }) => ({
      level: 'error',
      sentence: `${definition.metadata.name}: ${name} does not fit the new schema: ${message}`,
    }))
  } finally {
    await server.close()
  }
}
