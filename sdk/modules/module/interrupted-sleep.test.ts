// Tests that a Module runs what it ran before, when its sleep or its wake is taken back at any write, with and without
// a crash there.

import assert from 'node:assert/strict'
import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { exploreSchedules } from '../../../testing/explore/explore-schedules.js'
import { type Flip, flipSchedules } from '../../../testing/explore/flip-schedules.js'
import { itemsOfPart } from '../../../testing/explore/part.js'
import { crashPhases, type InjectedFault } from '../../../testing/faults/injected-fault.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import type { Client } from '../../engine/client/client.js'
import { deployments } from '../../engine/kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { MetaData } from '../metadata/metadata.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  NotingProgram,
  registering,
  shop,
} from './modules.fixture.js'

const workload = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: 'nginx' }] } },
  },
})
const both = [workload('web', 3), workload('worker', 2)]

type Given = { readonly metaData: MetaData; readonly cluster: ModuleCluster }

/** A program that knows only what `scaleDown` returned: after a sleep that was aborted it knows nothing. */
const noting = new NotingProgram()
noting.behaviour = {
  install: async ({ metaData, cluster }: Given) => {
    await cluster.apply(both)
    metaData.set('installed', true)
  },
  uninstall: ({ cluster }: Given) => cluster.delete(both),
  sleep: async ({ metaData, cluster }: Given) =>
    metaData.set('replicas', await cluster.scaleDown(both, { known: metaData.get('replicas') })),
  resume: async ({ metaData, cluster }: Given) => {
    await cluster.scaleUp(metaData.get('replicas') ?? [])
    metaData.delete('replicas')
  },
}

const replicasOf = (client: Client) =>
  Promise.all(
    both.map(async ({ metadata: { name } }) => {
      const { spec } = await client.get(deployments, { namespace: 'default', name })
      return spec?.replicas
    }),
  )

/** Changes whether the Module sleeps. The state that the step before has led to is looked at first. */
const hibernated =
  (value: boolean) =>
  async ({ client }: { client: Client }) => {
    assert.deepEqual(await replicasOf(client), value ? [3, 2] : [0, 0])
    await client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated: value } } })
  }

const scenario = operatorScenario({
  register: registering(noting),
  definitions,
  before: ({ client }) => createWorkspace(client),
  steps: {
    'a Module is created': ({ client }) => client.create(modules, moduleOf()),
    'it is to sleep': hibernated(true),
    'it is to wake': hibernated(false),
    'it is to sleep again': hibernated(true),
    'it is to wake again': hibernated(false),
    'it is deleted': async ({ client }) => {
      assert.deepEqual(await replicasOf(client), [3, 2])
      await client.delete(modules, shop)
    },
  },
  writesPerChange: 24,
})

void t.test('a sleep or a wake that is taken back at any write is undone', async (t) => {
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['flips'], part: dailyPart })
  t.strictSame(missed, [], 'every change was made')
  t.comment(`${writes.length} writes, ${runs} changes`)
})

const withCrash = (flip: Flip): InjectedFault[][] =>
  crashPhases.map((when) => [flip, { type: 'crash', write: flip.write, when }])

void t.test('so is one that is taken back while the process crashes at that write', async (t) => {
  const { missed, writes, runs } = await exploreSchedules(scenario, async (reference) => {
    const flips = (await flipSchedules(reference, scenario)).flat()
    const later = flips.filter(({ when }) => when === 'later')
    return itemsOfPart(later.flatMap(withCrash), dailyPart)
  })
  t.strictSame(missed, [], 'every change and every crash was made')
  t.comment(`${writes.length} writes, ${runs} changes with a crash`)
})
