import { filter, firstValueFrom } from 'rxjs'
import t, { type Test } from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
} from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { watchResource } from '../../engine/watch/watch-resource.js'
import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import type { Runnable } from './runnable.js'
import type { Pair } from './syncer.js'
import { FromHostTranslator } from './translator/from-host-translator.js'
import { mirrorDown } from './translator/mirror.js'
import { NamespacedTranslator } from './translator/namespaced-translator.js'
import { finishDeletion, syncDeletion } from './translator/sync-deletion.js'

// Whole clusters wait for one another here, on machines that may be busy.
t.setTimeout(600_000)

interface Car extends KubeObject {
  spec?: { seats: number }
}

const cars: Resource<Car> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Car',
  plural: 'cars',
  namespaced: true,
}
const name = { namespace: '', name: 'cars.example.com' }
const definition: CustomResourceDefinition = {
  metadata: { name: name.name },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'cars', kind: 'Car' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
const car = { metadata: { namespace: 'default', name: 'a' }, spec: { seats: 4 } }
const copyKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }
const merge = (body: object) => ({ type: 'merge', body }) as const

/** A plugin that mirrors cars, which no API server serves, by that syncer, and ConfigMaps. */
async function waiting(
  t: Test,
  carSyncer: (ctx: RegisterContext) => Runnable = (ctx) => mirrorDown(ctx, cars),
) {
  const logged: string[] = []
  const logger = {
    ...silentLogger,
    warn: (_: unknown, text: string) => logged.push(text),
    child: () => logger,
  }
  const test = await testPlugin(
    (plugin, ctx) => {
      plugin.register(carSyncer(ctx))
      plugin.register(mirrorDown(ctx, configMaps))
    },
    { logger },
  )
  t.teardown(() => test.stop())
  const { virtual, host, virtualServer, hostServer } = test
  const transports = { virtual: inProcessTransport(virtualServer), host: inProcessTransport(hostServer) }
  /** Resolves when that cluster has a car which is as it should be. */
  const carIs = async (side: 'virtual' | 'host', is: (car: Car) => boolean) => {
    const seen$ = watchResource({ transport: transports[side], resource: cars })
    await firstValueFrom(
      seen$.pipe(filter((event) => 'object' in event && event.type !== 'deleted' && is(event.object))),
    )
  }
  const serve = async (side: 'virtual' | 'host') => {
    const client = side === 'virtual' ? virtual : host
    await client.create(customResourceDefinitions, definition)
    await firstValueFrom(
      watchResource({ transport: transports[side], resource: cars }).pipe(
        filter(({ type }) => type === 'listDone'),
      ),
    )
  }
  return { ...test, logged, carIs, serve }
}

const isLogged =
  'the kind is not served; waiting until it is: install its definition, or correct its group and version'

void t.test('a syncer waits until its kind is served on both sides, and the others do not', async (t) => {
  const { virtual, host, settled, carIs, serve, logged } = await waiting(t)
  await virtual.create(configMaps, { metadata: car.metadata, data: { text: 'hi' } })
  await settled()
  t.same((await host.get(configMaps, copyKey)).data, { text: 'hi' })
  t.equal(logged.filter((text) => text === isLogged).length, 2, 'said once for each side')
  await serve('virtual')
  await virtual.create(cars, car)
  await settled()
  await serve('host')
  await carIs('host', ({ metadata }) => metadata.name === copyKey.name)
})

void t.test(
  'objects deleted with their kind in the virtual cluster keep their copies until the kind is back',
  async (t) => {
    const { virtual, host, settled, carIs, serve } = await waiting(t)
    await Promise.all([serve('virtual'), serve('host')])
    await virtual.create(cars, car)
    await carIs('host', () => true)
    const { uid } = (await host.get(cars, copyKey)).metadata
    await virtual.delete(customResourceDefinitions, name)
    await settled()
    t.equal((await host.get(cars, copyKey)).metadata.uid, uid, 'the copy stays')
    await virtual.create(configMaps, { metadata: car.metadata })
    await settled()
    t.ok(await host.get(configMaps, copyKey), 'the others go on')
    await serve('virtual')
    await virtual.create(cars, { ...car, spec: { seats: 2 } })
    await carIs('host', ({ spec }) => spec?.seats === 2)
  },
)

void t.test('copies that went with their kind on the host come back with it', async (t) => {
  const { virtual, host, settled, carIs, serve } = await waiting(t)
  await Promise.all([serve('virtual'), serve('host')])
  await virtual.create(cars, car)
  await carIs('host', () => true)
  await host.delete(customResourceDefinitions, name)
  await settled()
  t.ok(await virtual.get(cars, car.metadata))
  await virtual.patch(cars, car.metadata, merge({ spec: { seats: 3 } }))
  await serve('host')
  await carIs('host', ({ spec }) => spec?.seats === 3)
})

void t.test(
  'objects deleted with their kind on the host keep their copies in the virtual cluster',
  async (t) => {
    const mappings = { 'vcluster-vc/*': 'default/*' }
    const fromHost = (ctx: RegisterContext) =>
      new FromHostTranslator(ctx, 'cars', cars, { mappings, select: 'all' })
    const { virtual, host, settled, carIs, serve } = await waiting(t, fromHost)
    await Promise.all([serve('virtual'), serve('host')])
    const original = { ...car, metadata: { namespace: 'vcluster-vc', name: 'a' } }
    await host.create(cars, original)
    await carIs('virtual', () => true)
    const { uid } = (await virtual.get(cars, car.metadata)).metadata
    await host.delete(customResourceDefinitions, name)
    await settled()
    t.equal((await virtual.get(cars, car.metadata)).metadata.uid, uid, 'the copy stays')
    await virtual.create(configMaps, { metadata: car.metadata })
    await settled()
    t.ok(await host.get(configMaps, copyKey), 'the others go on')
    await serve('host')
    await host.create(cars, { ...original, spec: { seats: 2 } })
    await carIs('virtual', ({ spec }) => spec?.seats === 2)
    await host.delete(cars, original.metadata)
    await settled()
    await t.rejects(virtual.get(cars, car.metadata), { code: 404 }, 'one by one they go')
  },
)

/** Passes deletions on to either side, and takes a copy whose original is gone for its own affair. */
class Following extends NamespacedTranslator<Car> {
  gone = 0

  async syncDown(ctx: SyncContext, virtual: Car) {
    if (await finishDeletion(this, ctx, virtual)) return undefined
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  async sync(ctx: SyncContext, pair: Pair<Car>) {
    await syncDeletion(this, ctx, pair)
  }

  override async syncUp() {
    this.gone++
  }
}

void t.test('a deletion that is part of a kind’s going is not passed on', async (t) => {
  for (const side of ['virtual', 'host'] as const) {
    let following: Following | undefined
    const { virtual, host, settled, carIs, serve, ...test } = await waiting(t, (ctx) => {
      following = new Following(ctx, 'cars', cars)
      return following
    })
    await Promise.all([serve('virtual'), serve('host')])
    await virtual.create(cars, car)
    await carIs('host', () => true)
    const client = { virtual, host }[side]
    const held = side === 'virtual' ? car.metadata : copyKey
    await client.patch(cars, held, merge({ metadata: { finalizers: ['example.com/hold'] } }))
    await client.delete(customResourceDefinitions, name)
    await settled()
    t.match((await client.get(cars, held)).metadata, { deletionTimestamp: String })
    const [other, there] =
      side === 'virtual' ? ([host, copyKey] as const) : ([virtual, car.metadata] as const)
    t.notOk((await other.get(cars, there)).metadata.deletionTimestamp, `${side}: the other is not going`)
    await client.patch(cars, held, merge({ metadata: { finalizers: null } }))
    await settled()
    t.ok(await other.get(cars, there))
    t.equal(following?.gone, 0, 'it causes no call')
    await test.stop()
  }
})
