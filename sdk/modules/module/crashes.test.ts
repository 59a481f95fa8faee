import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { type OperatorScenario, operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
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

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
}

const notAsBefore = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'not-as-before', namespace: 'kube-system' },
}

type Given = { readonly metaData: MetaData; readonly cluster: ModuleCluster }

/** A program that saves a checkpoint, and remembers replicas over a sleep. */
const noting = new NotingProgram()
noting.behaviour = {
  install: async ({ metaData, cluster }: Given) => {
    metaData.set('begun', true)
    await metaData.save()
    await cluster.apply([web])
    metaData.set('installed', true)
  },
  sleep: async ({ metaData, cluster }: Given) =>
    metaData.set('replicas', await cluster.scaleDown(web, { known: metaData.get('replicas') })),
  resume: async ({ metaData, cluster }: Given) => {
    await cluster.scaleUp(metaData.get('replicas') ?? [])
    metaData.delete('replicas')
  },
  uninstall: async ({ metaData, cluster }: Given) => {
    const live = (await cluster.get(web)) as { spec?: { replicas?: number } } | undefined
    const isAsBefore = live === undefined || (live.spec?.replicas === 3 && !metaData.has('replicas'))
    // It is not deleted, so that the end differs.
    if (!isAsBefore) await cluster.apply([notAsBefore])
    await cluster.delete([web])
  },
}

const dev = { namespace: 'default', name: 'dev' }
const options = {
  register: registering(noting),
  definitions,
  before: ({ client }: { client: Parameters<typeof createWorkspace>[0] }) => createWorkspace(client),
  writesPerChange: 12,
}

const installSleepAndResume = (lastSteps: OperatorScenario['steps'] = {}) =>
  operatorScenario({
    ...options,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, moduleOf()),
      'it is to sleep': ({ client }) =>
        client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated: true } } }),
      'it is to wake': ({ client }) =>
        client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated: false } } }),
      ...lastSteps,
    },
  })

void t.test('a crash before or after any write of install, sleep and resume has the same end', async (t) => {
  const { missed, writes, runs } = await exhaust(installSleepAndResume(), {
    faults: ['crashes'],
    part: dailyPart,
  })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

void t.test(
  'a change of the leader at any write of install, sleep, resume and uninstallation has the same end',
  async (t) => {
    const { missed, writes, runs } = await exhaust(
      installSleepAndResume({
        'it is deleted': ({ client }) => client.delete(modules, shop),
        'its Workspace is deleted': ({ client }) => client.delete(workspaces, dev),
      }),
      { faults: ['leader-changes'], part: dailyPart },
    )
    t.strictSame(missed, [], 'every change was injected')
    t.comment(`${writes.length} writes, ${runs} leader changes`)
  },
)

void t.test('a crash before or after any write of an uninstallation has the same end', async (t) => {
  const scenario = operatorScenario({
    ...options,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, moduleOf()),
      'it is deleted': ({ client }) => client.delete(modules, shop),
      'its Workspace is deleted': ({ client }) => client.delete(workspaces, dev),
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
