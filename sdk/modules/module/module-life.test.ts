import t from 'tap'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { isInstalled, moduleOf, shop, startModules, switchWorkspace } from './modules.fixture.js'

void t.test('a Module is installed, sleeps, wakes and is uninstalled, with each call once', async (t) => {
  const test = await startModules(t)
  await test.client.create(modules, moduleOf({ config: { size: 3 } }))
  await test.settled()
  const installed = await test.live()
  t.match(installed.status, {
    phase: 'ready',
    source: 'Noting',
    program: { name: 'noting', version: '1.0.0' },
  })
  t.equal(installed.status?.operation, undefined)
  t.strictSame(JSON.parse(installed.metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
    installed: 'shop-installed',
  })
  t.strictSame(installed.metadata.finalizers, ['forkspacer.com/module'])
  t.strictSame(test.noting.calls[0]?.config, { size: 3 })
  t.ok(await isInstalled(test.client))

  await test.change({ hibernated: true })
  await test.settled()
  t.match((await test.live()).status, { phase: 'sleeped' })
  await test.change({ hibernated: false })
  await test.settled()
  t.match((await test.live()).status, {
    phase: 'ready',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Progressing', status: 'False' },
      { type: 'Degraded', status: 'False' },
    ],
  })

  await test.client.delete(modules, shop)
  await test.settled()
  await t.rejects(test.live(), { code: 404 })
  t.notOk(await isInstalled(test.client))
  t.strictSame(test.noting.texts, ['install 1 first', 'sleep 1 first', 'resume 1 first', 'uninstall 1 first'])
  t.equal(new Set(test.noting.calls.map(({ ctx }) => ctx.operationId)).size, 4)
})

void t.test('a Workspace sleeps and wakes with its Modules; one that slept before sleeps on', async (t) => {
  const test = await startModules(t)
  await test.client.create(modules, moduleOf())
  await test.client.create(modules, moduleOf({ hibernated: true }, { name: 'own' }))
  await test.settled()
  t.match((await test.live('own')).status, { phase: 'sleeped' })
  await switchWorkspace(test.client, true)
  await test.settled()
  const asleep = await test.client.get(workspaces, { namespace: 'default', name: 'dev' })
  t.match(asleep.status, { phase: 'hibernated', ready: false, modules: { total: 2, sleeped: 2, ready: 0 } })
  t.match((await test.live()).spec, { hibernated: false }, 'nothing is written into the Module')
  await switchWorkspace(test.client, false)
  await test.settled()
  t.match((await test.live()).status, { phase: 'ready' })
  t.match((await test.live('own')).status, { phase: 'sleeped' })
  const awake = await test.client.get(workspaces, { namespace: 'default', name: 'dev' })
  t.match(awake.status, { phase: 'ready', ready: true, modules: { total: 2, sleeped: 1, ready: 1 } })
})
