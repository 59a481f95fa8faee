import t from 'tap'
import { exhaust } from '../../../../testing/explore/exhaust.js'
import { type Register, testPlugin } from '../../../../testing/plugin/test-plugin.js'
import type { ScenarioClusters } from '../../../../testing/scenario/scenario.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import type { DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { isNotFound } from '../../../engine/kube/error.js'
import { mirrorDown } from '../translator/mirror.js'

const labelled =
  (team: string) =>
  ({ metadata }: DeepReadonly<ConfigMap>) =>
    metadata.labels?.team === team
const key = { namespace: 'default', name: 'a' }
const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }
const of = (team: string) => ({ metadata: { ...key, labels: { team } }, data: { text: 'hi' } })
const relabel = (team: string) => ({ type: 'merge', body: { metadata: { labels: { team } } } }) as const

/** A mirror that names itself in its copies. */
const mirrorOf =
  (name: string, select: (virtual: DeepReadonly<ConfigMap>) => boolean) =>
  (...[plugin, ctx]: Parameters<Register>) => {
    const transform = ({ data, ...rest }: DeepReadonly<ConfigMap>) =>
      structuredClone({ ...rest, data: { ...data, by: name } }) as ConfigMap
    plugin.register(mirrorDown(ctx, configMaps, { name, select, transform }))
  }

const both =
  (...mirrors: Register[]): Register =>
  async (plugin, ctx) => {
    for (const mirror of mirrors) await mirror(plugin, ctx)
  }

void t.test('mirrors of one kind divide its objects, and none deletes what another one copies', async (t) => {
  const test = await testPlugin(both(mirrorOf('red', labelled('red')), mirrorOf('blue', labelled('blue'))))
  t.teardown(() => test.stop())
  const copy = async () => {
    await test.settled()
    return test.host.get(configMaps, hostKey).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
  }
  await test.virtual.create(configMaps, of('red'))
  const red = await copy()
  t.equal(red?.data?.by, 'red')
  await test.virtual.patch(configMaps, key, relabel('blue'))
  const blue = await copy()
  t.equal(blue?.data?.by, 'blue')
  t.equal(blue?.metadata.uid, red?.metadata.uid, 'it changes hands in place')
  await test.virtual.patch(configMaps, key, relabel('green'))
  t.equal(await copy(), undefined, 'no mirror selects it')
  await test.virtual.patch(configMaps, key, relabel('red'))
  t.equal((await copy())?.data?.by, 'red')
  await test.virtual.delete(configMaps, key)
  t.equal(await copy(), undefined)
})

void t.test('of several that select an object the first copies it', async (t) => {
  const test = await testPlugin(
    both(
      mirrorOf('red', labelled('red')),
      mirrorOf('all', () => true),
    ),
  )
  t.teardown(() => test.stop())
  await test.virtual.create(configMaps, of('red'))
  await test.virtual.create(configMaps, { ...of('blue'), metadata: { ...key, name: 'b' } })
  await test.settled()
  t.equal((await test.host.get(configMaps, hostKey)).data?.by, 'red')
  t.equal((await test.host.get(configMaps, { ...hostKey, name: 'b-x-default-x-vc' })).data?.by, 'all')
})

void t.test('a crash at any write leaves a copy of the right mirror', async (t) => {
  const scenario = {
    register: both(mirrorOf('red', labelled('red')), mirrorOf('blue', labelled('blue'))),
    before: ({ virtual }: ScenarioClusters) => virtual.create(configMaps, of('red')),
    steps: {
      'it becomes blue': ({ virtual }: ScenarioClusters) => virtual.patch(configMaps, key, relabel('blue')),
      'it becomes green': ({ virtual }: ScenarioClusters) => virtual.patch(configMaps, key, relabel('green')),
      'it becomes blue again': ({ virtual }: ScenarioClusters) =>
        virtual.patch(configMaps, key, relabel('blue')),
    },
  }
  await t.resolves(exhaust(scenario, { faults: ['crashes'] }))
})
