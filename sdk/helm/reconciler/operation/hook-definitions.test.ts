// Tests that a CustomResourceDefinition that is a hook, or a member of the list of a hook, is never deleted: all
// objects of its kind would go with it.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { functionChart } from '../../chart/function-chart.js'
import type { JsonObject } from '../../chart/json-object.js'
import { configMap, definition, greetings, key } from '../greetings.fixture.js'
import { annotationsOf, end, type Hook, job } from '../hooked.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'

const things: Resource = { ...greetings, kind: 'Thing', plural: 'things' }
const at = { namespace: '', name: 'things.example.com' }

/** A definition with a label that names the values; with the text `one` it has one more. */
const thingsOf = ({ text }: JsonObject): CustomResourceDefinition => ({
  ...definition,
  metadata: { name: at.name, labels: { text: String(text), ...(text === 'one' && { old: 'yes' }) } },
  spec: { ...definition.spec, names: { kind: 'Thing', plural: 'things' } },
})

const hooked = (object: KubeObject, hook: Hook): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: annotationsOf(hook) },
})

const listOf = (...items: KubeObject[]) =>
  ({ apiVersion: 'v1', kind: 'List', metadata: { name: 'list' }, items }) as KubeObject

/** Starts an operator with a ConfigMap and these objects. */
const startWith = (
  t: Test,
  objects: (values: JsonObject) => KubeObject[],
  options: Partial<HelmControllerOptions> = {},
) =>
  start(t, {
    chart: functionChart({ name: 'things', version: '1.0.0' }, (values, { name }) => [
      configMap(name, { text: String(values.text) }),
      ...objects(values),
    ]),
    ...options,
  })

const live = ({ client }: TestOperator) => client.get(customResourceDefinitions, at)
const labelsOf = async (test: TestOperator) => (await live(test)).metadata.labels
const makeThing = ({ client }: TestOperator) => client.create(things, { metadata: key })

/** Installs the release, makes an object of the defined kind, and returns the UID of the definition. */
async function install(test: TestOperator): Promise<string | undefined> {
  await create(test, { text: 'one' })
  await test.settled()
  await makeThing(test)
  return (await live(test)).metadata.uid
}

const events = 'pre-install,pre-upgrade'
const policy = 'before-hook-creation,hook-succeeded,hook-failed'

const cases: { title: string; objects: (values: JsonObject) => KubeObject[] }[] = [
  {
    title: 'a definition that is a hook is changed by an upgrade, not made again',
    objects: (values) => [hooked(thingsOf(values), { events })],
  },
  {
    title: 'so is one with all policies',
    objects: (values) => [hooked(thingsOf(values), { events, policy })],
  },
  {
    title: 'so is one in the list of a hook',
    objects: (values) => [hooked(listOf(thingsOf(values)), { events, policy })],
  },
]

for (const { title, objects } of cases)
  void t.test(title, async (t) => {
    const test = await startWith(t, objects)
    const uid = await install(test)
    await edit(test, { spec: { text: 'two' } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 deployed'])
    t.equal((await live(test)).metadata.uid, uid)
    t.ok(await find(test, things), 'an object of its kind')
    t.match(await labelsOf(test), { text: 'two', old: undefined }, 'it is as the hook has it')
    await test.client.delete(greetings, key)
    await test.settled()
    t.equal(await find(test, greetings), undefined)
    t.equal((await live(test)).metadata.uid, uid, 'it outlives the release')
  })

void t.test(
  'a hook that fails, and a custom resource that is made again, leave the definition',
  async (t) => {
    const hooks = (values: JsonObject) => [
      hooked(thingsOf(values), { events, policy }),
      job('later', { events, policy: 'hook-failed', weight: '1' }),
    ]
    const test = await startWith(t, hooks, { onFailure: 'uninstall' })
    await create(test, { text: 'one' })
    await test.settled()
    await makeThing(test)
    const { uid } = (await live(test)).metadata
    await end(test, 'later', 'Failed')
    await test.settled()
    t.match(await eventsOf(test, 'Uninstalled'), [/the hook Job default\/later failed/])
    t.equal((await live(test)).metadata.uid, uid)
    await test.client.delete(greetings, key)
    await test.settled()
    await create(test, { text: 'two' })
    await test.settled()
    await end(test, 'later', 'Complete')
    await test.settled()
    t.strictSame(await history(test), ['1 deployed'])
    t.equal((await live(test)).metadata.uid, uid)
    t.ok(await find(test, things), 'an object of its kind')
  },
)

void t.test(
  'a definition that a hook of helm made is changed, and loses the fields that the hook lost',
  async (t) => {
    const test = await startWith(t, (values) => [hooked(thingsOf(values), { events })], {
      takeOwnership: true,
    })
    const made = hooked(thingsOf({ text: 'one' }), { events }) as CustomResourceDefinition
    const { uid } = (await test.client.create(customResourceDefinitions, made, { fieldManager: 'helm' }))
      .metadata
    await test.settled()
    await makeThing(test)
    await create(test, { text: 'two' })
    await test.settled()
    t.strictSame(await history(test), ['1 deployed'])
    t.equal((await live(test)).metadata.uid, uid)
    t.ok(await find(test, things), 'an object of its kind')
    t.match(await labelsOf(test), { text: 'two', old: undefined })
  },
)

void t.test('a definition of somebody else stays as it is, and its release is not begun', async (t) => {
  const test = await startWith(t, (values) => [hooked(thingsOf(values), { events })])
  const made = await test.client.create(customResourceDefinitions, thingsOf({ text: 'zero' }))
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotOurs', message: /things\.example\.com/ })
  const { uid, labels } = (await live(test)).metadata
  t.strictSame([uid, labels], [made.metadata.uid, made.metadata.labels])
})

void t.test('upgrade-force replaces no definition that the API server refuses to change', async (t) => {
  const withScope = (values: JsonObject) => {
    const object = thingsOf(values)
    const scope = values.text === 'one' ? 'Namespaced' : 'Cluster'
    return [{ ...object, spec: { ...object.spec, scope } } as KubeObject]
  }
  const test = await startWith(t, withScope, { onFailure: 'retry' })
  const uid = await install(test)
  const force = 'helm.sdk.operatorframework.io/upgrade-force'
  await edit(test, { metadata: { annotations: { [force]: 'true' } }, spec: { text: 'two' } })
  await test.settled()
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    reason: 'UpgradeError',
    message: /things\.example\.com/,
  })
  t.equal((await live(test)).metadata.uid, uid)
  t.ok(await find(test, things), 'an object of its kind')
})
