import t from 'tap'
import * as z from 'zod'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions, namespaces, services } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { mirrorDown } from '../../sdk/vcluster/syncer/translator/mirror.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { serveDefinitions } from '../operator/serve-definitions.js'
import { type SyncTest, syncTest } from './sync-test.js'
import type { Register } from './test-plugin.js'

const register: Register = (plugin, ctx) => {
  plugin.register(mirrorDown(ctx, configMaps))
  plugin.register(mirrorDown(ctx, services, { excludeFields: ['spec.clusterIP', 'spec.clusterIPs'] }))
}

type Loose = KubeObject & { spec?: unknown }

/** Objects of the virtual cluster at the start, and the same at the end. */
const same = (resource: Resource<KubeObject>, ...objects: Loose[]) => {
  const virtual = [{ resource, objects }]
  return { initial: { virtual }, expected: { virtual } }
}

const ends = (test: Omit<SyncTest, 'register'>) => syncTest({ register, ...test })

const settings = (namespace: string, name: string, metadata: KubeObject['metadata'] = {}) => ({
  metadata: { namespace, name, ...metadata },
  data: { color: 'blue' },
})

void t.test('a headless Service that is expected is not one with an address', async (t) => {
  const service = (spec: object) => ({
    metadata: { namespace: 'default', name: 'web' },
    spec: { ports: [{ port: 80 }], ...spec },
  })
  const { initial } = same(services as never, service({}))
  const { initial: headless, expected } = same(services as never, service({ clusterIP: 'None' }))
  await t.rejects(ends({ initial, expected }), { message: /default\/web differs: .*None/ })
  await t.resolves(ends({ initial: headless, expected }))
})

void t.test('a Service with an address that is expected is not a headless one', async (t) => {
  const service = (spec: object) => ({
    metadata: { namespace: 'default', name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  })
  const { initial } = same(services as never, service({ clusterIP: 'None' }))
  const { initial: ordinary, expected } = same(services as never, service({}))
  await t.rejects(ends({ initial, expected }), { message: /default\/web differs: .*None/ })
  await t.resolves(ends({ initial: ordinary, expected }))
})

void t.test('addresses and ports of Services are compared if they are stated', async (t) => {
  const service = (nodePort: number) => ({
    metadata: { namespace: 'default', name: 'web' },
    spec: { type: 'NodePort', clusterIP: '10.96.0.50', ports: [{ port: 80, nodePort }] },
  })
  const { initial, expected } = same(services as never, service(30001))
  await t.resolves(ends({ initial, expected }))
  const { expected: other } = same(services as never, service(30002))
  await t.rejects(ends({ initial, expected: other }), { message: /default\/web differs: .*30001/ })
})

void t.test('fields of other kinds that are named as those of Services are compared', async (t) => {
  const gates = defineKind({
    group: 'my.domain',
    version: 'v1',
    kind: 'Gate',
    spec: z.object({ listeners: z.array(z.object({ nodePort: z.int() })) }),
  })
  const virtualServer = await createApiServer({ name: 'virtual' })
  await serveDefinitions(createClient({ transport: inProcessTransport(virtualServer) }), [crdOf(gates)])
  const gate = (nodePort: number) => ({
    metadata: { namespace: 'default', name: 'a' },
    spec: { listeners: [{ nodePort }] },
  })
  const { initial, expected } = same(gates as never, gate(30001))
  const { expected: other } = same(gates as never, gate(30002))
  const options = { virtualServer }
  await t.rejects(ends({ options, initial, expected: other }), { message: /default\/a differs: .*30001/ })
  await t.resolves(ends({ options, expected }))
})

void t.test('owners, and what vcluster notes at a copy, are compared if they are stated', async (t) => {
  const initial = { virtual: [{ resource: configMaps, objects: [settings('team', 'web')] }] }
  const end = (metadata: KubeObject['metadata']) => {
    const objects = [settings('vcluster-vc', 'web-x-team-x-vc', metadata)]
    return ends({ initial, expected: { host: [{ resource: configMaps, objects }] } })
  }
  const owner = (name: string) => [{ apiVersion: 'v1', kind: 'Service', name, uid: '' }]
  await t.resolves(end({ ownerReferences: owner('vc') }))
  await t.rejects(end({ ownerReferences: owner('other') }), { message: /web-x-team-x-vc differs: .*other/ })
  await t.rejects(end({ ownerReferences: [] }), { message: /web-x-team-x-vc differs/ })
  const annotation = 'vcluster.loft.sh/object-name'
  await t.resolves(end({ annotations: { [annotation]: 'web' } }))
  await t.rejects(end({ annotations: { [annotation]: 'other' } }), { message: /differs: .*other/ })
})

void t.test('objects whose kind permits only one name for them can be expected', async (t) => {
  await t.resolves(ends(same(namespaces as never, { metadata: { name: 'team', labels: { a: 'b' } } })))
  const cars = defineKind({ group: 'my.domain', version: 'v1', kind: 'Car', spec: z.object({}) })
  await t.resolves(ends(same(customResourceDefinitions as never, crdOf(cars))))
  const addresses = {
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'IPAddress',
    plural: 'ipaddresses',
    namespaced: false,
  }
  const address = (name: string) => ({
    metadata: { name: '10.96.0.77' },
    spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name } },
  })
  await t.resolves(ends(same(addresses, address('web'))))
  const { initial } = same(addresses, address('web'))
  const { expected } = same(addresses, address('other'))
  await t.rejects(ends({ initial, expected }), { message: /10\.96\.0\.77/ })
})

void t.test('an object that is being deleted is not the expected one', async (t) => {
  const cars = defineKind({ group: 'my.domain', version: 'v1', kind: 'Car', spec: z.object({}) })
  const definition = crdOf(cars)
  const held = {
    ...definition,
    metadata: { ...definition.metadata, finalizers: ['example.com/hold'] },
  }
  const { initial, expected } = same(customResourceDefinitions as never, held)
  const run: SyncTest['run'] = ({ virtual }) =>
    virtual.delete(customResourceDefinitions, { namespace: '', name: definition.metadata.name ?? '' })
  await t.resolves(ends({ initial, expected }))
  await t.rejects(ends({ initial, run, expected }), { message: /cars\.my\.domain differs: .*deletion/ })
})

void t.test('an object may be named as the one by which defaults are found', async (t) => {
  await t.resolves(
    ends(same(configMaps as never, settings('team', 'expected'), settings('team', 'expected-x'))),
  )
})
