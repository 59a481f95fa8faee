// Tests when changed objects of releases are looked at, and which keys that runs.
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { Client } from '../../../engine/client/client.js'
import { deployments } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import { formatKey } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { ReadinessChanges } from './readiness-changes.js'

const key = { namespace: 'team', name: 'web' }
const release = 'main team/web'

/** A cluster with one Deployment, whose reads are counted. */
function started() {
  let version = 1
  let isAvailable = true
  let problem: Error | undefined
  const seen: string[] = []
  const live = () => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...key, generation: 1, resourceVersion: String(version) },
    spec: { replicas: 1 },
    status: {
      observedGeneration: 1,
      replicas: 1,
      updatedReplicas: 1,
      availableReplicas: isAvailable ? 1 : 0,
    },
  })
  let reads = 0
  const client = {
    get: async () => {
      reads += 1
      if (problem) throw problem
      return live()
    },
  } as unknown as Client
  const clock = new VirtualClock()
  const changes = new ReadinessChanges(clock, (changed) => seen.push(formatKey(changed)))
  const checked = () => [{ resource: deployments, key, version: String(version), isRunning: isAvailable }]
  return {
    clock,
    changes,
    checked,
    begin: () => changes.begin({ key, release, client }),
    run: () => {
      changes.begin({ key, release, client })
      changes.end(release, checked())
    },
    /** The Deployment changes, and its watch says so. */
    change: (available: boolean) => {
      version += 1
      isAvailable = available
      changes.noteObject(release, deployments, live() as KubeObject)
    },
    see: () => changes.noteObject(release, deployments, live() as KubeObject),
    fail: (error: Error) => {
      problem = error
    },
    /** The keys that run, and the number of reads, since the last call. */
    taken: async () => {
      await clock.settle()
      const result = { keys: seen.splice(0), reads }
      reads = 0
      return result
    },
  }
}
const nothing = { keys: [], reads: 0 }

void t.test('a change of the readiness runs the key, and another change is only read', async (t) => {
  const { run, change, see, taken } = started()
  run()
  see()
  t.strictSame(await taken(), nothing, 'it is as the run saw it')
  change(false)
  t.strictSame(await taken(), { keys: ['team/web'], reads: 1 })
})

void t.test('the objects of a release are read once a second at most', async (t) => {
  const { run, change, taken, clock } = started()
  run()
  change(true)
  t.strictSame(await taken(), { keys: [], reads: 1 }, 'the first change at once')
  for (let count = 0; count < 20; count++) change(true)
  t.strictSame(await taken(), nothing)
  await clock.advance(900)
  t.strictSame(await taken(), nothing)
  change(false)
  await clock.advance(100)
  t.strictSame(await taken(), { keys: ['team/web'], reads: 1 }, 'the last state counts')
  await clock.advance(10_000)
  t.strictSame(await taken(), nothing)
})

void t.test('a change during a run is looked at after it, unless the run has seen it', async (t) => {
  const { begin, run, change, changes, checked, taken } = started()
  run()
  begin()
  const asRead = checked()
  change(false)
  t.strictSame(await taken(), nothing, 'the run is not over')
  changes.end(release, asRead)
  t.strictSame(await taken(), { keys: ['team/web'], reads: 1 }, 'it came after the run had read the object')
  begin()
  change(true)
  changes.end(release, checked())
  t.strictSame(await taken(), nothing, 'it came before')
  changes.forget(key)
  begin()
  change(false)
  changes.end(release, checked())
  t.strictSame(await taken(), nothing, 'as it is in a first run')
})

void t.test(
  'a look that fails runs the key; a release that is gone, or judges nothing, is not looked at',
  async (t) => {
    const { run, begin, change, changes, fail, taken, clock } = started()
    run()
    fail(new ApiError({ code: 500 }))
    change(false)
    t.strictSame(await taken(), { keys: ['team/web'], reads: 1 })
    changes.forget(key)
    change(true)
    t.strictSame(await taken(), nothing)
    begin()
    changes.end(release, [])
    change(false)
    t.strictSame(await taken(), nothing)
    t.equal(changes.count, 0)
    run()
    change(true)
    changes.close()
    t.strictSame(await taken(), nothing)
    t.equal(clock.pending, 0)
  },
)
