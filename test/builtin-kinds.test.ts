// The kinds of Kubernetes that the package exports are those that an API server serves.
import t from 'tap'
import type { Resource } from '../sdk/engine/kube/resource.js'
import * as sdk from '../sdk/index.js'
import { createApiServer, inProcessTransport } from '../testing/index.js'

const resources = Object.values<unknown>({ ...sdk }).filter(isResource)

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'plural' in value && 'namespaced' in value
}

void t.test('every exported kind is served with its plural, kind and scope', async (t) => {
  t.ok(resources.length > 25, `${resources.length} kinds`)
  const transport = inProcessTransport(await createApiServer({ name: 'main' }))
  t.teardown(() => transport.close())
  for (const { group, version, kind, plural, namespaced } of resources) {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const { body } = await transport.request({ method: 'GET', path })
    const served: { resources?: { name: string }[] } = JSON.parse(Buffer.from(body).toString())
    t.match(
      served.resources?.find(({ name }) => name === plural),
      { kind, namespaced },
      `${path} ${plural}`,
    )
  }
})
