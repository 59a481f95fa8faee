import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps, namespaces, serviceAccounts, services } from '../../sdk/engine/kube/builtin.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { configMap, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { create, edit, start } from '../../sdk/helm/reconciler/reconciled.fixture.js'
import { modules } from '../../sdk/modules/kinds/module-kind.js'
import { definitions, moduleOf } from '../../sdk/modules/module/modules.fixture.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { until } from '../../test/until.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { operatorChanges } from './operator-changes.js'

void t.test('objects that a cluster makes in each namespace are not shown', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  const shown: string[] = []
  const kinds = [configMaps, namespaces, serviceAccounts, services]
  const changes = operatorChanges(kinds, transport).subscribe(({ name, verb }) =>
    shown.push(`${name} ${verb}`),
  )
  t.teardown(() => changes.unsubscribe())
  await client.create(namespaces, { metadata: { name: 'team' } })
  const own = { namespace: 'team', name: 'kube-root-ca.crt' }
  await until(() =>
    client.get(configMaps, own).then(
      () => true,
      () => false,
    ),
  )
  await client.delete(configMaps, own)
  await client.create(configMaps, { metadata: { namespace: 'team', name: 'settings' } })
  await client.create(serviceAccounts, { metadata: { namespace: 'team', name: 'web' } })
  await client.create(services, {
    metadata: { namespace: 'team', name: 'kubernetes' },
    spec: { ports: [{ port: 80 }] },
  })
  await until(() => shown.length >= 4)
  t.strictSame(shown.sort(), [
    'ConfigMap team/settings created',
    'Namespace team created',
    'Service team/kubernetes created',
    'ServiceAccount team/web created',
  ])
})

void t.test('an object that is not ready is shown with the reason', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  await serveDefinitions(client, definitions)
  const shown: string[] = []
  const changes = operatorChanges([modules], transport).subscribe(({ state }) => shown.push(state))
  t.teardown(() => changes.unsubscribe())
  const module = await client.create(modules, moduleOf())
  const condition = { status: 'False', lastTransitionTime: '2024-01-01T00:00:00Z' }
  const conditions = [
    { ...condition, type: 'Progressing', reason: 'Waiting', message: 'not this one' },
    { ...condition, type: 'Ready', reason: 'InstallError', message: 'the size is wrong' },
  ]
  const body = { status: { phase: 'failed', conditions } }
  await client.patch(modules, keyOf(module), { type: 'merge', subresource: 'status', body })
  await until(() => shown.length >= 2)
  t.equal(shown[1], 'failed  Progressing=False Waiting  Ready=False InstallError: the size is wrong')
})

void t.test('an object whose chart rendered no objects is shown with a note', async (t) => {
  const empty = functionChart({ name: 'empty', version: '1.0.0' }, ({ text }, { name }) =>
    text === undefined ? [] : [configMap(name, {})],
  )
  const test = await start(t, { chart: empty, reconcilePeriodMs: 0 })
  const transport = inProcessTransport(test.server)
  const shown: string[] = []
  const changes = operatorChanges([kind], transport).subscribe(({ state }) => shown.push(state))
  t.teardown(() => changes.unsubscribe())
  await create(test, {})
  const note = / {2}revision 1; the chart rendered no objects$/
  await until(() => shown.some((state) => note.test(state)))
  await edit(test, { spec: { text: 'two' } })
  await until(() => /Deployed=True UpgradeSuccessful/.test(shown.at(-1) ?? ''))
  t.notMatch(shown.at(-1), /no objects/)
})
