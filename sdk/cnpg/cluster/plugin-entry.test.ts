import t from 'tap'
import type { ClusterPlugin, CnpgCluster } from './cluster.js'
import { pluginEntry, usedPlugin } from './plugin-entry.js'

const name = 'hello.example.org'
const clusterOf = (plugins: ClusterPlugin[], external?: ClusterPlugin): CnpgCluster => ({
  metadata: { name: 'db' },
  spec: {
    plugins,
    ...(external && { externalClusters: [{ name: 'other' }, { name: 'origin', plugin: external }] }),
  },
})
const disabled = { name, enabled: false, parameters: { a: 'disabled' } }
const enabled = { name, parameters: { a: 'enabled' } }

void t.test('an entry that is enabled counts, as for the operator', async (t) => {
  const used = { isEnabled: true, parameters: { a: 'enabled' } }
  const [own, external] = [
    clusterOf([disabled, { name: 'other.example.org' }, enabled]),
    clusterOf([disabled], enabled),
  ]
  t.match(pluginEntry(own, name), { ...used, path: ['spec', 'plugins', '2', 'parameters'] })
  const path = ['spec', 'externalClusters', '1', 'plugin', 'parameters']
  t.match(pluginEntry(external, name), { ...used, path })
  t.match(pluginEntry(clusterOf([enabled], enabled), name)?.path, ['spec', 'plugins', '0', 'parameters'])
})

void t.test('the entry itself can be changed', async (t) => {
  const cluster = clusterOf([{ ...disabled }, { ...enabled }])
  const found = usedPlugin(cluster, name)
  if (found) found.plugin.parameters = { a: 'changed' }
  t.same(
    cluster.spec.plugins?.map(({ parameters }) => parameters),
    [{ a: 'disabled' }, { a: 'changed' }],
  )
})

void t.test('a disabled entry, and none', async (t) => {
  t.match(pluginEntry(clusterOf([disabled]), name), { isEnabled: false, parameters: { a: 'disabled' } })
  t.equal(pluginEntry(clusterOf([]), name), undefined)
  t.equal(pluginEntry({ metadata: {} } as CnpgCluster, name), undefined)
})
