import t from 'tap'
import { clusterOf, inspectedCnpg, password, pluginName } from './inspected-cnpg.fixture.js'

void t.test('the inspector of a CNPG plugin shows its calls, their patches and their errors', async (t) => {
  const { operator, overview, url } = await inspectedCnpg(t)
  await operator.create(clusterOf())
  await operator.change(({ spec }) => {
    spec.plugins = [{ name: pluginName, parameters: { wrong: 'blue' } }]
  })
  const shown = await overview()

  await t.test('it has no objects and no leader, but methods', (t) => {
    t.match(shown.plugin, { name: pluginName, mode: 'cnpg', isRunning: true })
    t.same([shown.syncers, shown.controllers, shown.watches, shown.hooks], [[], [], [], []])
    const names = shown.methods.map(({ name }) => name)
    t.ok(
      ['Identity/Probe', 'OperatorLifecycle/LifecycleHook'].every((name) => names.includes(name)),
      names.join(),
    )
    t.end()
  })

  await t.test('a method has its calls by status, their duration, and its errors with their Cluster', (t) => {
    const hook = shown.methods.find(({ name }) => name === 'OperatorLifecycle/LifecycleHook')
    t.match(hook?.calls, { OK: Number, FAILED_PRECONDITION: Number })
    t.match(hook?.took, { p50Ms: Number, p99Ms: Number })
    t.match(hook?.errors, [{ namespace: 'default', name: 'db', message: 'the key blue does not exist' }])
    t.end()
  })

  await t.test('a call names its objects and shows its patch, without the password', (t) => {
    const [failed] = shown.calls.filter(({ code }) => code !== 'OK')
    t.match(failed, {
      object: 'Pod default/db-1',
      cluster: { namespace: 'default', name: 'db' },
      patch: null,
    })
    const patched = shown.calls.find(({ patch }) => patch && patch.length > 0)
    t.match(patched, { code: 'OK', object: 'Pod default/db-1', durationMs: Number })
    t.match(patched?.patch?.map(({ path, value }) => `${path} ${value}`).join('\n'), /keys.*yes/)
    t.match(JSON.stringify(patched?.patch), 'KEY')
    t.notMatch(JSON.stringify(shown), password)
    t.end()
  })

  await t.test('asking for an object answers that there is none', async (t) => {
    t.same(await (await fetch(`${url}/inspector/api/why?kind=Pod&namespace=default&name=db-1`)).json(), [])
  })
})

void t.test('a call that refuses a Cluster is shown as refused, with the field', async (t) => {
  const { operator, overview } = await inspectedCnpg(t)
  await t.rejects(operator.create(clusterOf({ refused: 'yes' })), /must not be refused/)
  const { calls, methods } = await overview()
  t.same(
    methods.filter(({ refused }) => refused > 0).map(({ name, refused }) => [name, refused]),
    [['Operator/ValidateClusterCreate', 1]],
  )
  t.match(
    calls.find(({ method }) => method === 'Operator/ValidateClusterCreate'),
    { code: 'OK', refused: ['spec.plugins.0.parameters.refused'] },
  )
  t.ok(
    calls.every(({ refused, method }) => refused.length === 0 || method === 'Operator/ValidateClusterCreate'),
  )
})

void t.test('without VCLUSTER_PLUGIN_INSPECT there is no inspector', async (t) => {
  const { url } = await inspectedCnpg(t, {})
  t.equal((await fetch(`${url}/inspector/api/overview`)).status, 404)
})
