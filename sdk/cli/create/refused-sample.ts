import { setImmediate } from 'node:timers/promises'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../client/create-client.js'
import { customResourceDefinitions } from '../../kube/builtin.js'
import { ApiError, PermanentError } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import { inProcessTransport } from '../../testing/in-process-transport.js'
import { checkReferences } from '../../translator/references/check-references.js'
import { ruleTree } from '../../translator/references/reference-rules.js'
import { servedKinds } from '../dev/served-kinds.js'
import type { PluginDesign } from './plugin-design.js'

/**
 * Tries the sample on an embedded API server, and its change. Answers what that says against it, which for a custom kind
 * may be a rule or a pattern, or what keeps it from being copied; undefined when all is well.
 */
export async function refusedSample({
  kind,
  direction,
}: Pick<PluginDesign, 'kind' | 'direction'>): Promise<string | undefined> {
  const { resource, content, change = {}, source } = kind
  const server = await createApiServer({ name: 'virtual' })
  const client = createClient({
    transport: inProcessTransport(server),
    fieldManager: 'vcluster-plugin-create',
  })
  const namespace = resource.namespaced ? 'default' : ''
  const sample: KubeObject = { metadata: { ...(namespace && { namespace }), name: 'sample' }, ...content }
  try {
    if (source.from === 'definition' && direction !== 'up') checkReferences(sample, ruleTree({}))
    if (source.from === 'definition') await client.create(customResourceDefinitions, source.definition)
    await untilServed(server, resource)
    await client.create(resource, sample)
    await client.patch(resource, { namespace, name: 'sample' }, { type: 'merge', body: change })
    return undefined
  } catch (error) {
    if (error instanceof ApiError || error instanceof PermanentError) return error.message
    throw error
  } finally {
    await server.close()
  }
}

/** A definition is served a few turns after it was made. */
async function untilServed(server: ApiServer, resource: Resource): Promise<void> {
  const transport = inProcessTransport(server)
  for (let turns = 0; turns < 1000; turns++) {
    const served = await servedKinds(transport)
    if (served.some(({ plural, group }) => plural === resource.plural && group === resource.group)) return
    await setImmediate()
  }
}
