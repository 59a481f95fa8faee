import t from 'tap'
import { configMaps, deployments, namespaces, secrets } from '../../engine/kube/builtin.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { Backup } from '../backups.fixture.js'
import { backup, backups, deploymentFor, key } from '../backups.fixture.js'
import type { ContextOf } from '../controller/context.js'
import type { ControllerOptions } from '../controller/definition.js'
import { owned } from '../controller/owned.js'
import { annotationsChanged, generationChanged, labelsChanged } from '../controller/predicate.js'
import { byLabel, watch } from '../controller/watch.js'
import { ownerLabels } from '../owner/owner-labels.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'
import { passingKeys } from './passing-keys.js'

const settings = { ...key, name: 'settings' }

/** A controller that only records its runs. */
function recording(options: Partial<ControllerOptions<Backup>>) {
  const runs: string[] = []
  const reconcile = (_ctx: unknown, { metadata }: { metadata: { name?: string } }) =>
    void runs.push(metadata.name ?? '')
  return { runs, options: { ...options, reconcile } as ControllerOptions<Backup> }
}

void t.test('a predicate hides changes of the metadata, and no change of the spec', async (t) => {
  const { runs, options } = recording({ predicate: generationChanged })
  const { client, settled } = await recordedOperator(t, options)
  await client.create(backups, backup(1))
  await settled()
  t.same(runs, ['daily'], 'a new object')
  await client.patch(backups, key, merge({ metadata: { labels: { mine: 'yes' } } }))
  await settled()
  t.same(runs, ['daily'])
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await settled()
  t.same(runs, ['daily', 'daily'])
})

void t.test('an object that is created again with the same generation runs', async (t) => {
  const uids = new Set<string | undefined>()
  const { client, settled } = await recordedOperator(t, {
    predicate: generationChanged,
    reconcile: (_ctx, { metadata }) => void uids.add(metadata.uid),
  })
  await client.create(backups, backup(1))
  await settled()
  await client.delete(backups, key)
  const { metadata } = await client.create(backups, backup(1))
  await settled()
  t.equal(metadata.generation, 1)
  t.ok(uids.has(metadata.uid))
})

void t.test('deletion runs, whatever the predicate says', async (t) => {
  const ends: string[] = []
  const { client, settled } = await recordedOperator(t, {
    predicate: () => false,
    reconcile: () => {},
    finalize: () => void ends.push('finalize'),
    deleted: () => void ends.push('deleted'),
  })
  await client.create(backups, backup(1))
  await settled()
  await client.delete(backups, key)
  await settled()
  t.same(ends, ['finalize', 'deleted'])
})

void t.test('the annotations of the SDK run a key, whatever the predicate says', async (t) => {
  const { runs, options } = recording({ predicate: () => false })
  const { client, settled } = await recordedOperator(t, options)
  const annotations = { 'cache.my.domain/paused': 'true' }
  await client.create(backups, { ...backup(1), metadata: { ...key, annotations } })
  await settled()
  t.same(runs, [])
  await client.patch(backups, key, merge({ metadata: { annotations: { 'cache.my.domain/paused': null } } }))
  await settled()
  t.same(runs, ['daily'])
})

void t.test('a kind without a generation passes with each change of its data', async (t) => {
  const watches = [watch(configMaps, { keys: byLabel('backup'), predicate: generationChanged })]
  const { runs, options } = recording({ watches })
  const { client, settled } = await recordedOperator(t, options)
  await client.create(backups, backup(1))
  await client.create(configMaps, { metadata: { ...settings, labels: { backup: 'daily' } } })
  await settled()
  runs.length = 0
  await client.patch(configMaps, settings, merge({ data: { a: '1' } }))
  await settled()
  t.same(runs, ['daily'])
})

void t.test('a key that only one state of the object names runs, whatever the predicate says', async (t) => {
  const { runs, options } = recording({
    watches: [watch(configMaps, { keys: byLabel('backup'), predicate: () => false })],
  })
  const { client, settled } = await recordedOperator(t, options)
  for (const name of ['daily', 'weekly'])
    await client.create(backups, { ...backup(1), metadata: { ...key, name } })
  await client.create(configMaps, { metadata: { ...settings, labels: { backup: 'daily' } } })
  await settled()
  runs.length = 0
  await client.patch(configMaps, settings, merge({ data: { a: '1' } }))
  await settled()
  t.same(runs, [])
  await client.patch(configMaps, settings, merge({ metadata: { labels: { backup: 'weekly' } } }))
  await settled()
  t.same(runs.sort(), ['daily', 'weekly'])
})

void t.test('an owned kind has a predicate of its own', async (t) => {
  let runs = 0
  const { client, settled } = await recordedOperator(t, {
    owns: [owned(deployments, { predicate: generationChanged })],
    async reconcile(ctx, object) {
      runs++
      await ctx.apply(deployments, deploymentFor(object))
    },
  })
  await client.create(backups, backup(3))
  await settled()
  runs = 0
  await client.patch(deployments, key, {
    ...merge({ status: { replicas: 3, readyReplicas: 3 } }),
    subresource: 'status',
  })
  await settled()
  t.equal(runs, 0)
  await client.patch(deployments, key, merge({ spec: { replicas: 1 } }))
  await settled()
  t.equal((await client.get(deployments, key)).spec?.replicas, 3)
  await client.patch(deployments, key, merge({ metadata: { ownerReferences: null } }))
  await settled()
  t.ok(runs > 1, 'an object that is not owned any more runs its former owner')
})

/** Options whose predicate lets no change run a key, and uses a private field. */
class Hiding {
  #asked = 0
  readonly keys = byLabel('backup')
  predicate() {
    this.#asked++
    return false
  }
  get asked() {
    return this.#asked
  }
}

void t.test('a predicate may be a method of a class', async (t) => {
  const [ofMaps, ofDeployments, ofSecrets] = [new Hiding(), new Hiding(), new Hiding()]
  class Reconciler extends Hiding {
    readonly owns = [owned(deployments, ofDeployments)]
    readonly watches = [watch(configMaps, ofMaps), Object.assign(ofSecrets, { resource: secrets })]
    runs = 0
    async reconcile(ctx: ContextOf<typeof backups>, object: DeepReadonly<Backup>) {
      this.runs++
      await ctx.apply(deployments, deploymentFor(object))
    }
  }
  const made = new Reconciler()
  const { client, settled } = await recordedOperator(t, made)
  await client.create(backups, backup(1))
  const labelled = { metadata: { ...settings, labels: { backup: 'daily' } } }
  await client.create(configMaps, labelled)
  await client.create(secrets, labelled)
  await settled()
  made.runs = 0
  await client.patch(configMaps, settings, merge({ data: { a: '1' } }))
  await client.patch(secrets, settings, merge({ data: { a: 'MQ==' } }))
  await client.patch(deployments, key, merge({ spec: { replicas: 2 } }))
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await settled()
  t.equal(made.runs, 0)
  for (const { asked } of [made, ofMaps, ofDeployments, ofSecrets]) t.ok(asked > 0)
})

void t.test('a predicate that throws lets the key run', async (t) => {
  const { runs, options } = recording({
    predicate: () => {
      throw new Error('a mistake')
    },
  })
  const { client, settled } = await recordedOperator(t, options)
  await client.create(backups, backup(1))
  await settled()
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await settled()
  t.same(runs, ['daily', 'daily'])
})

void t.test('an object that a list finds replaced by another one passes', (t) => {
  const state = (uid: string, more: object = {}) => ({ metadata: { ...key, uid, ...more } })
  const pass = (object: ReturnType<typeof state>, previous = state('1')) =>
    passingKeys(
      { key, object, previous, gone: false },
      { keysOf: () => [key], predicate: () => false, group: 'cache.my.domain', onError: () => {} },
    )
  t.same(pass(state('2')), [key])
  t.same(pass(state('1')), [])
  const going = { deletionTimestamp: '2030-01-01T00:00:00Z' }
  t.same(pass(state('1', going)), [key])
  t.same(pass(state('1', going), state('1', going)), [])
  t.end()
})

void t.test('labelsChanged compares labels, and a missing map is an empty one', (t) => {
  t.notOk(labelsChanged({ metadata: {} }, { metadata: { labels: {} } }))
  t.ok(labelsChanged({ metadata: { labels: { a: '1' } } }, { metadata: {} }))
  t.end()
})

void t.test('annotationsChanged compares annotations, and nothing else', (t) => {
  t.notOk(annotationsChanged({ metadata: {} }, { metadata: { annotations: {} } }))
  t.notOk(annotationsChanged({ metadata: { labels: { a: '1' } } }, { metadata: {} }))
  t.ok(annotationsChanged({ metadata: { annotations: { a: '1' } } }, { metadata: {} }))
  t.end()
})

void t.test(
  'labels of another UID run their primary only if it waits until the object is gone',
  async (t) => {
    let runs = 0
    const at = { namespace: 'elsewhere', name: 'settings' }
    const { client, settled } = await recordedOperator(t, {
      owns: [configMaps],
      reconcile: async (ctx, { spec }) => {
        runs++
        if (spec.size > 1) await ctx.apply(configMaps, { metadata: at })
      },
    })
    await client.create(namespaces, { metadata: { name: 'elsewhere' } })
    const { metadata } = await client.create(backups, backup(1))
    await settled()
    const owner = { cluster: 'main', resource: backups, key, uid: 'of-an-earlier-one' }
    const forge = () => client.create(configMaps, { metadata: { ...at, ...ownerLabels(owner) } })
    runs = 0
    await forge()
    await settled()
    await client.patch(configMaps, at, merge({ data: { a: '1' } }))
    await settled()
    await client.delete(configMaps, at)
    await settled()
    t.equal(runs, 0)
    await forge()
    await client.patch(backups, key, merge({ spec: { size: 2 } }))
    await settled()
    runs = 0
    await client.patch(configMaps, at, merge({ data: { a: '1' } }))
    await settled()
    t.equal(runs, 0)
    await client.delete(configMaps, at)
    await settled()
    t.equal((await client.get(configMaps, at)).metadata.labels?.['cache.my.domain/owner-uid'], metadata.uid)
    runs = 0
    await client.patch(configMaps, at, merge({ metadata: { labels: null } }))
    await settled()
    t.ok(runs > 0, 'an object of the primary runs it')
  },
)

void t.test('an object of an earlier primary that goes while the key runs is noticed', async (t) => {
  const at = { namespace: 'elsewhere', name: 'settings' }
  let runs = 0
  const { client, settled } = await recordedOperator(t, {
    owns: [configMaps],
    async reconcile(ctx) {
      try {
        await ctx.apply(configMaps, { metadata: at })
      } catch (error) {
        if (++runs === 2) {
          await client.delete(configMaps, at)
          while (ctx.store(configMaps).get(at)) await new Promise((resolve) => setImmediate(resolve))
        }
        throw error
      }
    },
  })
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })
  const owner = { cluster: 'main', resource: backups, key, uid: 'of-an-earlier-one' }
  await client.create(configMaps, { metadata: { ...at, ...ownerLabels(owner) } })
  const { metadata } = await client.create(backups, backup(1))
  await settled()
  t.equal(runs, 1)
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await settled()
  t.equal((await client.get(configMaps, at)).metadata.labels?.['cache.my.domain/owner-uid'], metadata.uid)
})

void t.test(
  'an object of an earlier primary that becomes adoptable runs a key that waits for it',
  async (t) => {
    const at = { namespace: 'elsewhere', name: 'settings' }
    const { client, settled } = await recordedOperator(t, {
      owns: [owned(configMaps, { adopt: () => true })],
      reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: at })),
    })
    await client.create(namespaces, { metadata: { name: 'elsewhere' } })
    const other = await client.create(secrets, { metadata: { ...at, name: 'other' } })
    const reference = { apiVersion: 'v1', kind: 'Secret', name: 'other', uid: other.metadata.uid ?? '' }
    const former = ownerLabels({ cluster: 'main', resource: backups, key, uid: 'of-an-earlier-one' })
    const ownerReferences = [{ ...reference, controller: true }]
    await client.create(configMaps, { metadata: { ...at, ...former, ownerReferences } })
    const { metadata } = await client.create(backups, backup(1))
    await settled()
    const label = async () =>
      (await client.get(configMaps, at)).metadata.labels?.['cache.my.domain/owner-uid']
    t.equal(await label(), 'of-an-earlier-one')
    await client.patch(configMaps, at, merge({ metadata: { ownerReferences: null } }))
    await settled()
    t.equal(await label(), metadata.uid)
  },
)
