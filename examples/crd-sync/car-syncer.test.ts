import t, { type Test } from 'tap'
import { customResourceDefinitions } from 'vcluster-plugin-sdk'
import { exhaust, type Scenario, type TestPlugin, testPlugin } from 'vcluster-plugin-sdk/testing'
import { type Car, cars } from './car.js'
import { carDefinition } from './car-definition.js'
import type { CarSyncerOptions } from './car-syncer.js'
import { register } from './register.js'

// The last test runs a scenario many times.
t.setTimeout(600_000)

const merge = (body: object) => ({ type: 'merge', body }) as const
const key = { namespace: 'kube-system', name: 'test' }
const hostKey = { namespace: 'vcluster-vc', name: 'test-x-kube-system-x-vc' }
const audi: Car = { metadata: key, spec: { type: 'Audi', seats: 4 } }

/** Runs the example on both embedded clusters, whose host serves cars. */
async function running(t: Test, options: CarSyncerOptions = {}): Promise<TestPlugin> {
  const host = await testPlugin(() => {})
  await host.host.create(customResourceDefinitions, carDefinition)
  await host.stop()
  const { hostServer, virtualServer } = host
  const test = await testPlugin((plugin, ctx) => register(plugin, ctx, options), {
    hostServer,
    virtualServer,
  })
  t.teardown(() => test.stop())
  await test.virtual.create(cars, audi)
  await test.settled()
  return test
}

void t.test('a car of the virtual cluster has a copy on the host with the same spec', async (t) => {
  for (const fromHost of [false, true]) {
    const test = await running(t, { fromHost })
    t.same((await test.host.get(cars, hostKey)).spec, audi.spec)
    await test.virtual.delete(cars, key)
    await test.settled()
    await t.rejects(test.host.get(cars, hostKey), { code: 404 })
    await test.stop()
  }
})

void t.test('the spec may change on both sides, and the status is copied back', async (t) => {
  const test = await running(t)
  await test.virtual.patch(cars, key, merge({ spec: { type: 'BMW' } }))
  await test.settled()
  t.same((await test.host.get(cars, hostKey)).spec, { type: 'BMW', seats: 4 })
  await test.host.patch(cars, hostKey, merge({ spec: { seats: 2 } }))
  await test.settled()
  t.same((await test.virtual.get(cars, key)).spec, { type: 'BMW', seats: 2 })
  const status = { delivered: true, plate: 'W 1' }
  await test.host.patch(cars, hostKey, { ...merge({ status }), subresource: 'status' })
  await test.settled()
  t.same((await test.virtual.get(cars, key)).status, status)
})

void t.test('both cars are equal at the end after crashes, lag and refused requests', async (t) => {
  const scenario: Scenario = {
    register: (plugin, ctx) => register(plugin, ctx),
    before: ({ host }) => host.create(customResourceDefinitions, carDefinition),
    steps: {
      'a car is created': ({ virtual }) => virtual.create(cars, audi),
      'it changes': ({ virtual }) => virtual.patch(cars, key, merge({ spec: { type: 'Tesla' } })),
      'its copy changes': ({ host }) => host.patch(cars, hostKey, merge({ spec: { seats: 5 } })),
      'it gets a plate': ({ host }) =>
        host.patch(cars, hostKey, { ...merge({ status: { plate: 'W 1' } }), subresource: 'status' }),
      'it changes again': ({ virtual }) => virtual.patch(cars, key, merge({ spec: { seats: 1 } })),
      'it goes': ({ virtual }) => virtual.delete(cars, key),
    },
  }
  await t.resolves(exhaust(scenario, { faults: ['crashes'] }))
  await t.resolves(exhaust(scenario, { faults: ['late-events'] }))
  await t.resolves(exhaust(scenario, { faults: ['refusals'] }))
})
