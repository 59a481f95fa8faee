// A Module is deleted in each of its phases.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import type { ModulePhase } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, type NotedCall, shop, startTimed, type TimedTest } from './modules.fixture.js'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop-installed' } }

/** A call that has made an object, and ends with its abort. */
const hangs = async ({ ctx, cluster }: NotedCall) => {
  await cluster.apply([object])
  await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))
}
const fails = async ({ cluster }: NotedCall) => {
  await cluster.apply([object])
  throw new Error('no luck')
}
const deleted = async ({ client, pass }: TimedTest) => {
  await client.delete(modules, shop)
  await pass(0)
}

/** How a Module comes into each phase. */
const ways: Record<ModulePhase, (test: TimedTest) => unknown> = {
  installing: ({ noting }) => {
    noting.behaviour.install = hangs
  },
  failed: ({ noting }) => {
    noting.behaviour.install = fails
  },
  ready: () => {},
  sleeping: ({ noting }) => {
    noting.behaviour.sleep = hangs
  },
  sleeped: () => {},
  resuming: ({ noting }) => {
    noting.behaviour.resume = hangs
  },
  uninstalling: ({ noting }) => {
    let attempt = 0
    noting.behaviour.uninstall = ({ cluster }) => {
      attempt++
      if (attempt === 1) throw new Error('still in use')
      return cluster.delete([object])
    }
  },
}

/** A Module that has failed in a later operation is `failed` too. */
for (const kind of ['sleep', 'resume'] as const)
  void t.test(`a Module that is deleted after its ${kind} has failed leaves nothing`, async (t) => {
    const test = await startTimed(t)
    test.noting.behaviour[kind] = fails
    await test.client.create(modules, moduleOf({ hibernated: true }))
    await test.pass(6_000)
    if (kind === 'resume') await test.change({ hibernated: false })
    await test.pass(6_000)
    const { status, metadata } = await test.live()
    t.match(status, { phase: 'failed', operation: { kind } })
    await deleted(test)
    await test.pass(1_000)
    await t.rejects(test.live(), { code: 404 })
    const labelSelector = `forkspacer.com/module=${metadata.uid}`
    t.strictSame((await test.client.list(configMaps, { labelSelector })).items, [])
    t.equal(test.noting.texts.at(-1), 'uninstall 1 first')
  })

for (const [phase, prepare] of Object.entries(ways))
  void t.test(`a Module that is deleted while it is ${phase} leaves nothing`, async (t) => {
    const test = await startTimed(t)
    await prepare(test)
    await test.client.create(modules, moduleOf())
    await test.pass(phase === 'failed' ? 6_000 : 10)
    const isAsleep = ['sleeping', 'sleeped', 'resuming'].includes(phase)
    if (isAsleep) await test.change({ hibernated: true })
    await test.pass(10)
    if (phase === 'resuming') await test.change({ hibernated: false })
    if (phase === 'uninstalling') await deleted(test)
    await test.pass(10)
    const { status, metadata } = await test.live()
    t.equal(status?.phase, phase)
    const labelSelector = `forkspacer.com/module=${metadata.uid}`
    t.equal((await test.client.list(configMaps, { labelSelector })).items.length, 1, 'it has an object')
    if (phase !== 'uninstalling') await test.client.delete(modules, shop)
    await test.pass(5_000)
    await t.rejects(test.live(), { code: 404 })
    t.strictSame((await test.client.list(configMaps, { labelSelector })).items, [])
    const uninstalls = test.noting.calls.filter(({ kind }) => kind === 'uninstall')
    t.equal(uninstalls.length, phase === 'uninstalling' ? 2 : 1)
    t.equal(new Set(uninstalls.map(({ ctx }) => ctx.operationId)).size, 1)
  })
