// Tests that what a template prints becomes no other request path.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { functionChart } from '../chart/function-chart.js'
import { configMap } from './greetings.fixture.js'
import { conditionOf, create, edit, find, history, start } from './reconciled.fixture.js'

/** The values are fields of one object. */
const chart = functionChart(
  { name: 'greeter', version: '1.0.0' },
  ({ apiVersion, kind, metadata, hook }, release) => {
    const annotations = hook ? { 'helm.sh/hook': String(hook) } : {}
    const names = { name: release.name, annotations, ...(metadata as object) }
    return [
      {
        ...configMap(release.name, {}),
        apiVersion: apiVersion ?? 'v1',
        kind: kind ?? 'ConfigMap',
        metadata: names,
      } as KubeObject,
    ]
  },
)

const wrong: [values: object, message: RegExp][] = [
  [
    { apiVersion: 'apps/v1/deployments?watch=1&x=' },
    /an object of kind ConfigMap with the apiVersion "apps\/v1\/deployments\?watch=1&x="/,
  ],
  [{ apiVersion: 'v1/namespaces/kube-system/secrets' }, /with the apiVersion/],
  [{ apiVersion: '../version' }, /with the apiVersion/],
  [{ kind: 'Config/Map' }, /an object with the kind "Config\/Map"/],
  [{ metadata: { name: '..' } }, /with the name "\.\."/],
  [{ metadata: { name: 'a/b' } }, /with the name "a\/b"/],
  [{ metadata: { name: 'a%2fb' } }, /with the name/],
  [{ metadata: { namespace: '..' } }, /with the namespace "\.\."/],
  [{ metadata: { namespace: 'a/configmaps/b' } }, /with the namespace/],
  [{ hook: 'post-delete', metadata: { name: '..' } }, /with the name "\.\."/],
]

void t.test('an object that no API server can have is refused before anything is written', async (t) => {
  const test = await start(t, { chart })
  await create(test, {})
  await test.settled()
  t.ok(await find(test, configMaps))
  for (const [values, message] of wrong) {
    await edit(test, { spec: { apiVersion: null, kind: null, hook: null, metadata: null } })
    await edit(test, { spec: values })
    await test.settled()
    const condition = await conditionOf(test, 'Irreconcilable')
    t.match(condition, { status: 'True', reason: 'RenderError', message }, JSON.stringify(values))
  }
  t.strictSame(await history(test), ['1 deployed'])
  await edit(test, { spec: { hook: null, metadata: { name: 'a.b' } } })
  await test.settled()
  t.strictSame(await history(test), ['1 superseded', '2 deployed'], 'other names are as before')
})
