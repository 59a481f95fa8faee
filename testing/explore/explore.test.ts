import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { applyManifests } from '../../sdk/cluster/apply-manifests.js'
import { ensureCRD } from '../../sdk/cluster/ensure-crd.js'
import type { RegisterContext } from '../../sdk/context/register-context.js'
import { configMaps } from '../../sdk/kube/builtin.js'
import type { Syncer } from '../../sdk/syncer/syncer.js'
import { type Disturbance, formatDisturbances, parseDisturbances } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { mirrorOfConfigMaps } from './config-map-mirror.fixture.js'
import { exhaustCrashes } from './exhaust-crashes.js'
import { exhaustLostEvents, exhaustStaleness } from './exhaust-lag.js'
import { perturb, replay } from './perturb.js'
import { ScenarioFailure } from './scenario-failure.js'

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }

const steps: Scenario['steps'] = {
  'a ConfigMap is made': ({ virtual }) =>
    virtual.create(configMaps, { metadata: key, data: { text: 'hello' } }),
  'its text changes': ({ virtual }) =>
    virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: 'bye' } } }),
  'it goes': ({ virtual }) => virtual.delete(configMaps, key),
}

const scenario = (change: (syncer: Syncer) => void = () => {}): Scenario => ({
  register: (plugin, ctx) => {
    const syncer = mirrorOfConfigMaps(ctx)
    change(syncer)
    plugin.register(syncer)
  },
  steps,
})

/** The failure that a scenario must end with. */
async function failureOf(played: Promise<unknown>): Promise<ScenarioFailure> {
  try {
    await played
  } catch (error) {
    if (error instanceof ScenarioFailure) return error
    throw error
  }
  throw new Error('the scenario passed, and should not')
}

/** Deletes copies by their name alone. */
const deletesByName = scenario((syncer) => {
  syncer.syncUp = async (ctx, host) => {
    await ctx.host.client.delete(configMaps, { namespace: hostKey.namespace, name: host.metadata.name ?? '' })
  }
})

void t.test('a mirror that does everything right passes, and the report says what was tried', async (t) => {
  const crashes = await exhaustCrashes(scenario())
  t.same(
    crashes.writes.filter((write) => write.includes('greeting')),
    ['create', 'update', 'delete'].map(
      (verb) => `${verb} host configmaps ${hostKey.namespace}/${hostKey.name}`,
    ),
  )
  t.equal(crashes.runs, 3 * crashes.writes.length + 2 * Object.keys(steps).length)
  t.same(crashes.missed, [])
  t.equal(crashes.pathChecked, true)
  t.equal((await exhaustStaleness(scenario())).runs, 6)
  t.equal((await exhaustLostEvents(scenario())).runs, 12)
  t.equal((await perturb(scenario(), { runs: 10 })).runs, 10)
})

void t.test('what no run may do fails the undisturbed one, with the write in words', async (t) => {
  await t.rejects(exhaustCrashes(deletesByName), {
    name: 'ScenarioFailure',
    message:
      /nothing disturbed:\n {2}delete host configmaps vcluster-vc\/greeting-x-default-x-vc: the delete does not say the UID/,
  })
})

void t.test('what only a crash shows is told with a schedule that plays it again', async (t) => {
  // Remembers in memory which copies it made, and trusts that.
  const forgetful = (): Scenario => ({
    register: (plugin, ctx) => {
      const syncer = mirrorOfConfigMaps(ctx)
      const made = new Set<string>()
      const { syncDown, syncUp } = syncer
      syncer.syncDown = (syncCtx, virtual) => {
        made.add(virtual.metadata.name ?? '')
        return syncDown.call(syncer, syncCtx, virtual)
      }
      syncer.syncUp = async (syncCtx, host) => {
        if (made.has(syncCtx.key.name)) await syncUp?.call(syncer, syncCtx, host)
      }
      plugin.register(syncer)
    },
    steps,
  })
  const failure = await failureOf(exhaustCrashes(forgetful()))
  const schedule = /replay\(scenario, '(.*)'\)/.exec(failure.message)?.[1] ?? ''
  t.match(schedule, /^crash:\d+:/)
  t.match(failure.message, /host configmaps vcluster-vc\/greeting-x-default-x-vc should not be there/)
  const [first = ''] = failure.message.split('\nit fails as well')
  t.equal((await failureOf(replay(forgetful(), schedule))).message, first)
  await t.resolves(replay(scenario(), schedule))
})

void t.test('several things that go wrong by chance are told as the fewest that still fail', async (t) => {
  // Takes every refusal of a create for a yes.
  const careless = scenario((syncer) => {
    const { syncDown } = syncer
    syncer.syncDown = async (ctx, virtual) => {
      try {
        await syncDown.call(syncer, ctx, virtual)
      } catch {
        return
      }
    }
  })
  const failure = await failureOf(perturb(careless, { seed: 3, runs: 100 }))
  t.match(failure.runs, [{ disturbances: [{ type: 'refuse' }] }])
  t.equal(failure.runs[0]?.disturbances.length, 1)
  t.match(failure.message, /found with seed 3 as /)
})

void t.test('a scenario that never comes to rest, or cannot be played twice alike, says so', async (t) => {
  const restless = scenario((syncer) => {
    syncer.sync = async () => ({ requeueAfterMs: 500 })
  })
  await t.rejects(exhaustCrashes(restless), {
    message: /did not come to rest within 10 minutes of virtual time/,
  })
  const random = { ...scenario(), steps: { 'one is made': steps['a ConfigMap is made'] ?? (async () => {}) } }
  let n = 0
  const before: Scenario['before'] = ({ virtual }) =>
    virtual.create(configMaps, { metadata: { namespace: 'default', name: `random-${n++}` } })
  await t.rejects(exhaustCrashes({ ...random, before }), { message: /it ends otherwise the second time/ })
})

void t.test('a plugin that waits for what never comes is said to hang', async (t) => {
  const hanging = { ...scenario(), register: () => new Promise<void>(() => {}) }
  await t.rejects(exhaustCrashes(hanging), { message: /the plugin hangs: it is not idle/ })
})

void t.test('where the undisturbed run fails, what the plugin said before is told', async (t) => {
  const broken = scenario((syncer) => {
    syncer.syncDown = async () => {
      throw new Error('no data')
    }
  })
  const edit = { type: 'merge', body: { data: { text: 'edited' } } } as const
  const edited: Scenario['steps'] = {
    'its copy is edited': ({ host }) => host.patch(configMaps, hostKey, edit),
  }
  await t.rejects(exhaustCrashes({ ...broken, steps: { ...steps, ...edited } }), {
    message:
      /^step 4, "its copy is edited": [\s\S]*not found\nthe plugin said:\n {2}error syncing failed, .*"no data"/,
  })
})

void t.test('a schedule is read as it is written', async (t) => {
  const disturbances: Disturbance[] = [
    { type: 'crash', write: 3, when: 'unanswered' },
    { type: 'restart', step: 1 },
    { type: 'down', step: 2 },
    { type: 'drop', write: 4 },
    { type: 'refuse', call: 5, code: 429 },
    { type: 'late', cluster: 'host', step: 1 },
    { type: 'lost', cluster: 'virtual', step: 2 },
    { type: 'repeated', cluster: 'host', step: 3 },
  ]
  const text = formatDisturbances(disturbances)
  t.equal(
    text,
    'crash:3:unanswered,restart:1,down:2,drop:4,refuse:5:429,late:host:1,lost:virtual:2,repeated:host:3',
  )
  t.same(parseDisturbances(text), disturbances)
  for (const wrong of ['', 'crash:0:before', 'crash:1', 'late:both:1', 'refuse:1:200', 'boom'])
    t.throws(() => parseDisturbances(wrong), {
      message: /is no disturbance; take one that a failure has printed/,
    })
})

void t.test('virtual time waits for a file that the plugin reads', async (t) => {
  const crd = JSON.stringify({
    metadata: { name: 'cars.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'cars', kind: 'Car' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  })
  const dir = t.testdir({
    'cars.yaml': crd,
    'one.yaml': 'kind: Namespace\napiVersion: v1\nmetadata: {name: one}',
  })
  const init = async (ctx: RegisterContext) => {
    await ensureCRD(ctx, { file: `${dir}/cars.yaml` })
    for (let i = 0; i < 20; i++) await readFile(`${dir}/one.yaml`)
    await applyManifests(ctx, pathToFileURL(`${dir}/one.yaml`))
  }
  const { register } = scenario()
  const reading: Scenario = {
    register: (plugin, ctx) => {
      plugin.register({ name: 'files', init })
      return register(plugin, ctx)
    },
    steps,
  }
  await t.resolves(replay(reading, 'crash:1:before'))
})
