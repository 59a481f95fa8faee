import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { discoverVersion } from '../../sdk/engine/client/discover-server.js'
import { resourceOf } from '../../sdk/engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { ApiError, isNotFound } from '../../sdk/engine/kube/error.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { UnexpectedAnswerError } from '../../sdk/engine/transport/unexpected-answer.js'
import type { ComparisonOptions } from '../../sdk/operator/kind/definition/compare-definitions.js'
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
  return withCluster(options, (transport) => checkCluster(kinds, transport))
}

/** {@link checkLive} over an open connection. */
export async function checkCluster(
  kinds: readonly CheckedDefinition[],
  transport: Transport,
): Promise<CheckLine[]> {
  const client = createClient({ transport })
  const comparison = { ratcheting: await hasRatcheting(transport) }
  const lines = await Promise.all(kinds.map((kind) => checkOne(kind, client, comparison)))
  return lines.flat()
}

/** Whether an API server ratchets: by default since Kubernetes 1.30. Assumed of one that does not tell its version. */
async function hasRatcheting(transport: Transport): Promise<boolean> {
  const version = await discoverVersion(transport).catch((error: unknown) => {
    if (error instanceof ApiError || error instanceof UnexpectedAnswerError) return ''
    throw error
  })
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return major === undefined || Number(major) > 1 || Number(minor) >= 30
}

async function checkOne(
  kind: CheckedDefinition,
  client: Client,
  comparison: ComparisonOptions,
): Promise<CheckLine[]> {
  const { definition } = kind
  const { name } = definition.metadata
  const installed = await findDefinition(client, name ?? '')
  if (installed === undefined) {
    return [
      { level: 'warning', sentence: `${name} is not installed in the cluster; there is nothing to compare` },
    ]
  }
  return [
    ...differenceLines(installed, definition, comparison),
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
