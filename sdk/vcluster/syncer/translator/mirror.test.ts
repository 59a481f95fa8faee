import t from 'tap'
import { exhaust } from '../../../../testing/explore/exhaust.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type Register, testPlugin } from '../../../../testing/plugin/test-plugin.js'
import { warningLogger } from '../../../../testing/plugin/warning-logger.js'
import type { Scenario } from '../../../../testing/scenario/scenario.js'
import { createPrometheusMetrics } from '../../../engine/health/prometheus-metrics.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  priorityClasses,
  type Secret,
  secrets,
  services,
} from '../../../engine/kube/builtin.js'
import { isNotFound } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { parseExcludedPath, parseFieldPath, withFieldsKept } from '../fields/field-paths.js'
import { podReferences } from '../references/pod-references.js'
import { mirrorBoth, mirrorDown, mirrorUp } from './mirror.js'

// The last test plays a scenario over and over.
t.setTimeout(600_000)

async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const merge = (body: object) => ({ type: 'merge', body }) as const
const key = { namespace: 'default', name: 'a' }
const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }

void t.test('fields are named by paths', async (t) => {
  t.same(parseFieldPath('spec.clusterIP'), ['spec', 'clusterIP'])
  t.same(parseFieldPath('data."tls.key"'), ['data', 'tls.key'])
  for (const path of ['', '.', 'a.', 'a..b', 'a."b', 'metadata.labels', 'status', 'kind', 'spec.a[*].b']) {
    t.throws(() => parseFieldPath(path), { code: 'INVALID_FIELD' }, path)
  }
  const object = Object.freeze({ metadata: {}, spec: Object.freeze({ a: 1, b: 2 }) })
  t.same(
    withFieldsKept<object & { metadata: object }>(
      object,
      ['spec.a', 'spec.c.d', 'none.x'].map(parseExcludedPath),
    ),
    {
      metadata: {},
      spec: { b: 2 },
    },
  )
  t.same(
    withFieldsKept<object & { metadata: object }>(object, ['spec.a', 'more.x'].map(parseExcludedPath), {
      metadata: {},
      spec: {},
      more: { x: 1 },
    } as never),
    { metadata: {}, spec: { b: 2 }, more: { x: 1 } },
  )
})

void t.test('a field in each element of a list is excluded', async (t) => {
  for (const path of ['spec.ports[*]', '[*].a', 'spec.ports[0].a', 'spec.ports[*]a', 'spec.ports[*'])
    t.throws(() => parseExcludedPath(path), { code: 'INVALID_FIELD' }, path)
  const paths = ['spec.ports[*].nodePort', 'spec.a[*].b[*].c'].map(parseExcludedPath)
  const keptOf = (spec: object, kept?: object) =>
    withFieldsKept(
      { metadata: {}, spec } as KubeObject & { spec: object },
      paths,
      kept && ({ metadata: {}, spec: kept } as never),
    ).spec
  const ports = [
    { name: 'web', port: 80, nodePort: 1 },
    { name: 'tls', port: 443, nodePort: 2 },
  ]
  t.same(keptOf({ ports }), {
    ports: [
      { name: 'web', port: 80 },
      { name: 'tls', port: 443 },
    ],
  })
  t.same(
    keptOf(
      {
        ports: [
          { name: 'tls', port: 443 },
          { name: 'new', port: 1 },
        ],
      },
      { ports },
    ),
    {
      ports: [
        { name: 'tls', port: 443, nodePort: 2 },
        { name: 'new', port: 1 },
      ],
    },
    'elements are found by their names',
  )
  t.same(keptOf({ ports: [{ port: 80 }] }, { ports: [{ port: 80, nodePort: 3 }] }), {
    ports: [{ port: 80, nodePort: 3 }],
  })
  t.same(keptOf({ a: [{ b: [{ c: 1, d: 2 }] }], ports: 'x' }), { a: [{ b: [{ d: 2 }] }], ports: 'x' })
})

void t.test('ports of nodes stay as the host chooses them, and headless Services headless', async (t) => {
  const excludeFields = ['spec.clusterIP', 'spec.clusterIPs', 'spec.ports[*].nodePort']
  const test = await running(t, (plugin, ctx) =>
    plugin.register(mirrorDown(ctx, services, { excludeFields })),
  )
  const at = (name: string) => ({ namespace: 'default', name })
  const copyOf = async (name: string) => {
    await test.settled()
    return (await test.host.get(services, { ...hostKey, name: `${name}-x-default-x-vc` })).spec
  }
  const ports = [{ name: 'http', port: 80, nodePort: 30_080 }]
  await test.virtual.create(services, { metadata: at('node'), spec: { type: 'NodePort', ports } })
  const first = await copyOf('node')
  t.ok(first?.clusterIP)
  await test.virtual.patch(services, at('node'), merge({ spec: { ports: [{ ...ports[0], port: 81 }] } }))
  const second = await copyOf('node')
  t.equal(second?.ports?.[0]?.port, 81)
  t.equal(second?.ports?.[0]?.nodePort, first?.ports?.[0]?.nodePort)
  t.equal(second?.clusterIP, first?.clusterIP)
  await test.virtual.create(services, {
    metadata: at('headless'),
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
  })
  t.equal((await copyOf('headless'))?.clusterIP, 'None')
  await test.virtual.patch(services, at('headless'), merge({ metadata: { labels: { a: 'b' } } }))
  t.equal((await copyOf('headless'))?.clusterIP, 'None')
})

void t.test('the copy of a CronJob has a name that the API server accepts', async (t) => {
  const cronJobs: Resource = {
    group: 'batch',
    version: 'v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    namespaced: true,
  }
  const references = podReferences('spec.jobTemplate.spec.template.spec')
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, cronJobs, { references })))
  const template = { spec: { containers: [{ name: 'a', image: 'b' }], restartPolicy: 'Never' } }
  const spec = { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } } }
  const names = ['short', `${'long'.repeat(12)}-1`, `${'long'.repeat(12)}-2`]
  for (const name of names)
    await test.virtual.create(cronJobs, { metadata: { namespace: 'default', name }, spec } as KubeObject)
  await test.settled()
  const copies = (await test.hostObjects(cronJobs)).map(({ metadata }) => metadata.name ?? '')
  t.equal(copies.length, 3)
  t.ok(copies.includes('short-x-default-x-vc'), 'a name that fits stays as it is')
  t.ok(copies.every((name) => name.length <= 52))
})

void t.test('one line mirrors a kind, of either scope', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorDown(ctx, configMaps))
    plugin.register(mirrorDown(ctx, priorityClasses))
  })
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await test.virtual.create(priorityClasses, { metadata: { name: 'high' }, value: 7 })
  await test.settled()
  t.same((await test.host.get(configMaps, hostKey)).data, { text: 'hi' })
  t.equal(
    (await test.host.get(priorityClasses, { namespace: '', name: 'vcluster-high-x-vcluster-vc-x-vc' })).value,
    7,
  )
})

void t.test(
  'a selected object is copied and transformed, and its copy is deleted when it is no longer selected',
  async (t) => {
    const isShared = ({ metadata }: ConfigMap) => metadata.labels?.shared === 'yes'
    const test = await running(t, (plugin, ctx) => {
      const transform = (virtual: ConfigMap) => ({ ...virtual, data: { ...virtual.data, by: 'plugin' } })
      plugin.register(mirrorDown(ctx, configMaps, { select: isShared, transform, honoursForceSync: true }))
    })
    const copy = async () => (await found(test.host.get(configMaps, hostKey)))?.data
    const edit = async (metadata: object) => {
      await test.virtual.patch(configMaps, key, merge({ metadata }))
      await test.settled()
    }
    await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
    await test.settled()
    t.equal(await copy(), undefined)
    await edit({ labels: { shared: 'yes' } })
    t.same(await copy(), { text: 'hi', by: 'plugin' })
    await edit({ labels: { shared: null } })
    t.equal(await copy(), undefined)
    await edit({ annotations: { 'vcluster.loft.sh/force-sync': 'true' } })
    t.same(await copy(), { text: 'hi', by: 'plugin' })
  },
)

void t.test('writes that were not needed are counted, and copies that were put back', async (t) => {
  const metrics = createPrometheusMetrics()
  const register: Register = (plugin, ctx) => {
    plugin.register(mirrorDown(ctx, configMaps))
    plugin.register(mirrorBoth(ctx, persistentVolumeClaims))
    plugin.register(mirrorUp(ctx, priorityClasses))
  }
  const test = await testPlugin(register, { metrics })
  t.teardown(() => test.stop())
  const counted = async (name: string) => {
    await test.settled()
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`))
    return lines.map((line) => line.replace(/.*"(.*)"} /, '$1 ')).sort()
  }
  const repaired = () => counted('sync_drift_repaired_total')
  const spec = { resources: { requests: { storage: '1Gi' } }, accessModes: ['ReadWriteOnce'] }
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await test.virtual.create(persistentVolumeClaims, { metadata: key, spec })
  await test.host.create(priorityClasses, { metadata: { name: 'high' }, value: 7 })
  t.same(await repaired(), [], 'creating a copy is not counted as a repair')
  const rests = await counted('sync_noop_writes_avoided_total')
  // The API server adds a finalizer to the claim. The other copies are stored as they were sent, and no run follows.
  t.same(rests, ['persistentvolumeclaim-both 1'])

  await test.virtual.patch(configMaps, key, merge({ data: { text: 'ho' } }))
  await test.host.patch(priorityClasses, { namespace: '', name: 'high' }, merge({ description: 'new' }))
  t.same(await repaired(), [], 'nor is what follows its original')

  await test.host.patch(configMaps, hostKey, merge({ data: { text: 'edited' } }))
  await test.virtual.patch(priorityClasses, { namespace: '', name: 'high' }, merge({ description: 'edited' }))
  t.same(await repaired(), ['configmap-down 1', 'priorityclass-up 1'])
  await test.host.delete(configMaps, hostKey)
  t.same(await repaired(), ['configmap-down 2', 'priorityclass-up 1'])
})

void t.test('a field that the host fills in stays, and the status comes up', async (t) => {
  const test = await running(t, (plugin, ctx) =>
    plugin.register(
      mirrorDown<PersistentVolumeClaim>(ctx, persistentVolumeClaims, {
        excludeFields: ['spec.volumeName'],
        statusUp: true,
      }),
    ),
  )
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await test.virtual.create(persistentVolumeClaims, { metadata: key, spec })
  await test.settled()
  await test.host.patch(persistentVolumeClaims, hostKey, merge({ spec: { volumeName: 'disk-7' } }))
  await test.settled()
  const status = { phase: 'Bound' }
  await test.host.patch(persistentVolumeClaims, hostKey, { ...merge({ status }), subresource: 'status' })
  await test.virtual.patch(persistentVolumeClaims, key, merge({ metadata: { labels: { app: 'web' } } }))
  await test.settled()
  const { spec: there, metadata } = await test.host.get(persistentVolumeClaims, hostKey)
  t.same([there?.volumeName, metadata.labels?.app], ['disk-7', 'web'])
  const original = await test.virtual.get(persistentVolumeClaims, key)
  t.same([original.spec?.volumeName, original.status?.phase], [undefined, 'Bound'])
})

void t.test('a transform that returns nothing fails with the name of the syncer', async (t) => {
  const said: string[] = []
  const logger = warningLogger((line) => said.push(line))
  const transform = () => undefined as never
  const test = await testPlugin(
    (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps, { transform })),
    {
      logger,
    },
  )
  await test.settled()
  await test.stop()
  t.match(said[0], /transform of syncer configmap-down returned undefined; return the object to copy/)
})

void t.test('host objects are shown by mappings, selected and transformed', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    const select = ({ metadata }: Secret) => metadata.labels?.shared === 'yes'
    plugin.register(
      mirrorUp(ctx, secrets, { mappings: { 'shared/*': 'team/*' }, select, excludeFields: ['data.key'] }),
    )
    plugin.register(mirrorUp(ctx, priorityClasses, { transform: (host) => ({ ...host, value: 1 }) }))
  })
  await test.host.create(namespaces, { metadata: { name: 'shared' } })
  const labels = { shared: 'yes' }
  const at = { namespace: 'shared', name: 'a' }
  await test.host.create(secrets, { metadata: { ...at, labels }, stringData: { key: 'k', text: 't' } })
  await test.host.create(secrets, { metadata: { ...at, name: 'b' }, stringData: { text: 't' } })
  await test.host.create(priorityClasses, { metadata: { name: 'high' }, value: 7 })
  await test.settled()
  const copy = { namespace: 'team', name: 'a' }
  t.same(Object.keys((await test.virtual.get(secrets, copy)).data ?? {}), ['text'])
  t.equal(await found(test.virtual.get(secrets, { ...copy, name: 'b' })), undefined)
  t.equal((await test.virtual.get(priorityClasses, { namespace: '', name: 'high' })).value, 1)
  await test.host.patch(secrets, at, merge({ metadata: { labels: { shared: null } } }))
  await test.settled()
  t.equal(await found(test.virtual.get(secrets, copy)), undefined)
})

void t.test('a change on either side reaches the other, also one made while no process ran', async (t) => {
  const register: Register = (plugin, ctx) =>
    plugin.register(mirrorBoth(ctx, configMaps, { annotations: { allow: ['note'] } }))
  const first = await running(t, register)
  const { virtual, host, virtualServer, hostServer } = first
  await virtual.create(configMaps, { metadata: key, data: { text: 'one', more: 'x' } })
  await first.settled()
  const both = async () =>
    Promise.all(
      [virtual.get(configMaps, key), host.get(configMaps, hostKey)].map(async (one) => (await one).data),
    )
  const changes = {
    virtual: (text: string) => virtual.patch(configMaps, key, merge({ data: { text } })),
    host: (text: string) => host.patch(configMaps, hostKey, merge({ data: { text } })),
  }
  const alike = (text: string) => [
    { text, more: 'x' },
    { text, more: 'x' },
  ]
  await changes.host('from host')
  await first.settled()
  t.same(await both(), alike('from host'))
  await changes.virtual('from virtual')
  await first.settled()
  t.same(await both(), alike('from virtual'))

  for (const [side, text] of [
    ['host', 'away on host'],
    ['virtual', 'away in virtual'],
  ] as const) {
    await (side === 'host' ? first.stop() : undefined)
    await changes[side](text)
    const again = await testPlugin(register, { virtualServer, hostServer })
    t.same(await both(), alike(text))
    await again.stop()
  }
  await changes.host('loses')
  await changes.virtual('wins')
  const last = await testPlugin(register, { virtualServer, hostServer })
  t.same(await both(), alike('wins'))
  await last.stop()
})

void t.test(
  'a crash, a late watch or a refusal does not take one side’s change for the other’s',
  async (t) => {
    // The other ConfigMaps are root certificates, which differ from run to run.
    const select = ({ metadata }: ConfigMap) => metadata.name === 'a'
    const scenario: Scenario = {
      register: (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps, { select })),
      steps: {
        'a ConfigMap is made': ({ virtual }) =>
          virtual.create(configMaps, { metadata: key, data: { text: 'one' } }),
        'the copy changes': ({ host }) => host.patch(configMaps, hostKey, merge({ data: { text: 'two' } })),
        'the original changes': ({ virtual }) =>
          virtual.patch(configMaps, key, merge({ data: { text: 'three' } })),
        'it goes': ({ virtual }) => virtual.delete(configMaps, key),
      },
    }
    await t.resolves(exhaust(scenario, { faults: ['crashes'] }))
    await t.resolves(exhaust(scenario, { faults: ['late-events'] }))
    await t.resolves(exhaust(scenario, { faults: ['refusals'] }))
  },
)
