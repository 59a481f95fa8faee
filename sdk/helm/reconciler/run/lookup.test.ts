// Tests what the templates of a release see of the cluster by `lookup`.
import t from 'tap'
import { testOperator } from '../../../../testing/index.js'
import { configMaps, events, secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { defaultRenderer } from '../../render/default-renderer.js'
import type { ChartRenderer, LookupQuery } from '../../render/renderer.js'
import { chart, definition, greetings, key, kind } from '../greetings.fixture.js'
import { helmController } from '../helm-controller.js'
import type { HelmControllerOptions } from '../options/options.js'

const query = (kindName: string, namespace: string, name: string): LookupQuery => ({
  apiVersion: 'v1',
  kind: kindName,
  namespace,
  name,
})
const queries = {
  own: query('ConfigMap', 'default', 'there'),
  other: query('ConfigMap', 'kube-system', 'there'),
  everywhere: query('ConfigMap', '', ''),
  namespace: query('Namespace', '', 'default'),
  secret: query('Secret', 'default', 'foreign'),
  ownSecret: query('Secret', 'default', 'mine'),
  secrets: query('Secret', 'default', ''),
}

/** The names that each query finds in the only release, and the Events about it. */
async function seen(options: Partial<HelmControllerOptions> = {}) {
  const found: Record<string, string[]> = {}
  const inner = await defaultRenderer([chart])
  const renderer: ChartRenderer = {
    name: inner.name,
    async render(request, signal) {
      for (const [name, asked] of Object.entries(queries)) {
        const answer = (await request.lookup?.(asked, signal)) as
          | (KubeObject & { items?: KubeObject[] })
          | undefined
        const objects = answer?.items ?? (answer ? [answer] : [])
        found[name] = objects.map(({ metadata }) => metadata.name ?? '')
      }
      return inner.render(request, signal)
    },
    close: () => inner.close(),
  }
  const definitions = [definition]
  const test = await testOperator(
    (operator) => operator.register(helmController({ resource: kind, chart, renderer, ...options })),
    { definitions },
  )
  t.teardown(() => test.stop())
  for (const namespace of ['default', 'kube-system'])
    await test.client.create(configMaps, { metadata: { namespace, name: 'there' } })
  const annotations = { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' }
  await test.client.create(secrets, { metadata: { namespace: 'default', name: 'foreign' } })
  await test.client.create(secrets, { metadata: { namespace: 'default', name: 'mine', annotations } })
  await test.client.create(greetings, { metadata: key })
  await test.settled()
  const { items } = await test.client.list(events, { namespace: 'default' })
  const refused = items.filter(({ reason }) => reason === 'LookupRefused').map(({ message }) => message)
  return { found, refused }
}

void t.test('without a policy, templates see the namespace of the release and its own Secrets', async (t) => {
  const { found, refused } = await seen()
  t.strictSame(found, {
    own: ['there'],
    other: [],
    everywhere: [],
    namespace: [],
    secret: [],
    ownSecret: ['mine'],
    secrets: ['mine'],
  })
  t.match(refused.sort(), [
    'lookup of configmaps "there" in namespace kube-system finds nothing: the option allow does not permit it',
    'lookup of configmaps in all namespaces finds nothing',
    'lookup of namespaces "default" finds nothing',
  ])
})

void t.test('a policy allows kinds, namespaces, and objects without a namespace', async (t) => {
  const wide = { namespaces: ['kube-system'], clusterScoped: true }
  t.match((await seen({ allow: wide })).found, {
    other: ['there'],
    everywhere: [],
    namespace: ['default'],
    secret: [],
  })
  const kinds = ['ConfigMap', 'Secret']
  t.match((await seen({ allow: { ...wide, kinds } })).found, {
    own: ['there'],
    namespace: [],
    secret: ['foreign'],
  })
})
