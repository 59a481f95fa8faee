import t from 'tap'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import { type ConfigMap, configMaps, type Node, nodes } from '../../engine/kube/builtin.js'
import type { SyncContext } from '../context/sync-context.js'
import { FakeSyncer } from '../syncer/fake-syncer.js'
import type { Watches } from '../syncer/watches.js'

/** Every member of a store that a plugin may call or read. */
const reading = [
  'addIndex',
  'byIndex',
  'constructor',
  'get',
  'latestKnown',
  'leftOut',
  'list',
  'resourceVersion',
  'served',
  'size',
  'synced',
  'unconfirmed',
  'whenAnswered',
  'whenServed',
  'whenSynced',
]

/** Each member that an object has at run time, its prototypes' included, but for those of `Object`. */
function membersOf(object: object): [string, PropertyDescriptor][] {
  const prototype: object | null = Object.getPrototypeOf(object)
  const inherited = prototype === null || prototype === Object.prototype ? [] : membersOf(prototype)
  return [...Object.entries(Object.getOwnPropertyDescriptors(object)), ...inherited]
}

/** Remembers what a plugin is handed in a run. */
class RememberingSyncer extends FakeSyncer<Node> {
  ctx: SyncContext | undefined

  constructor() {
    super('remembering', nodes)
  }

  override modifyController(watches: Watches) {
    watches.watch(configMaps, { side: 'virtual', keysOf: () => [{ namespace: '', name: 'node' }] })
  }

  async fakeSyncUp(ctx: SyncContext) {
    this.ctx = ctx
  }

  async fakeSync() {}
}

void t.test('a plugin can read a store, and no member of it writes', async (t) => {
  const syncer = new RememberingSyncer()
  const test = await testPlugin((plugin) => plugin.register(syncer))
  t.teardown(() => test.stop())
  const object: ConfigMap = { metadata: { namespace: 'default', name: 'a' } }
  await test.virtual.create(configMaps, object)
  await test.settled()
  if (!syncer.ctx) throw new Error('the syncer never ran')
  const { virtual, host } = syncer.ctx
  for (const cluster of [virtual, host]) {
    const store = cluster.store(configMaps)
    const members = membersOf(store)
    t.strictSame(members.map(([name]) => name).sort(), reading)
    t.strictSame(
      members.filter(([, member]) => member.set !== undefined),
      [],
    )
    t.ok(Object.isFrozen(store), 'one plugin cannot replace a method for the others')
  }
  t.equal(virtual.store(configMaps).get({ namespace: 'default', name: 'a' })?.metadata.name, 'a')
  const changes$ = virtual.changes$(configMaps)
  t.notOk('next' in changes$ || 'next' in (changes$.source ?? {}), 'a user cannot emit a change')
})
