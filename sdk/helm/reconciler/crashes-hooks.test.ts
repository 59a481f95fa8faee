// Tests that a release with hooks of its chart is whole, and each hook ran once, after a crash or a change of the
// leader at any write.

import t, { type Test } from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import {
  exhaust,
  type OperatorStep,
  operatorScenario,
  type RegisterControllers,
} from '../../../testing/index.js'
import { serviceAccounts } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import '../../engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { functionChart } from '../chart/function-chart.js'
import { configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'

/** A hook that ends at once. */
const hook = (name: string, events: string) =>
  configMap(name, {}, { 'helm.sh/hook': events, 'helm.sh/hook-delete-policy': 'hook-succeeded' })

const hooked = functionChart({ name: 'hooked', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text: String(text) }),
  hook(`${name}-before`, 'pre-install,pre-upgrade,pre-delete'),
  hook(`${name}-after`, 'post-install,post-upgrade,post-delete'),
])

/** A Job, which takes time and stays, before the installation. */
const lasting = functionChart({ name: 'lasting', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${name}-job`, annotations: { 'helm.sh/hook': 'pre-install' } },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
  } as KubeObject,
])

const together = {
  'helm.sh/hook': 'pre-install,post-upgrade',
  'helm.sh/hook-delete-policy': 'hook-succeeded',
}

/** A Job that needs the ServiceAccount that another hook of the event makes. */
const needing = functionChart({ name: 'needing', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text: String(text) }),
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, annotations: together } } as KubeObject,
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations: together },
    spec: {
      template: {
        spec: { serviceAccountName: name, restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] },
      },
    },
  } as KubeObject,
])

const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

/** As the Job controller does it: a Job whose ServiceAccount does not exist never ends. */
const endJobs: OperatorStep = async ({ client, setAllReady }) => {
  const [found, accounts] = [await client.list(jobs), await client.list(serviceAccounts)]
  const lacks = ({ metadata: { name } }: KubeObject) =>
    !accounts.items.some((one) => one.metadata.name === name)
  const waiting = found.items.find((job) => !('status' in job && job.status) && lacks(job))
  if (waiting) throw new Error(`the Job ${waiting.metadata.name} lacks its ServiceAccount`)
  await setAllReady()
}

const options = {
  register: (operator) => operator.register(helmController({ resource: kind, chart: hooked })),
  definitions: [definition],
  steps: {
    'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: { text: 'one' } }),
    'it is upgraded': ({ client }) =>
      client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two' } } }),
    'it is uninstalled': ({ client }) => client.delete(greetings, key),
  },
  writesPerChange: 60,
} satisfies Parameters<typeof operatorScenario>[0]

void t.test('it survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(operatorScenario(options), {
    faults: ['crashes'],
    part: dailyPart,
  })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

void t.test('one with a hook that takes time survives a crash at every write', async (t) => {
  const { 'it is upgraded': _, ...steps } = options.steps
  const { missed, writes, runs } = await exhaust(
    operatorScenario({
      ...options,
      steps,
      register: (operator) => operator.register(helmController({ resource: kind, chart: lasting })),
      simulate: ({ setAllReady }) => setAllReady(),
    }),
    { faults: ['crashes'], part: dailyPart },
  )
  t.strictSame(missed, [])
  const made = writes.filter((write) => /^create .*jobs/.test(write))
  t.equal(made.length, 1, 'one Job')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

async function hasWhatItNeeds(t: Test, fault: 'crashes' | 'leader-changes'): Promise<void> {
  const register: RegisterControllers = (operator) =>
    operator.register(helmController({ resource: kind, chart: needing }))
  const { missed, writes, runs } = await exhaust(
    operatorScenario({ ...options, register, simulate: endJobs }),
    { faults: [fault], part: dailyPart },
  )
  t.strictSame(missed, [])
  for (const plural of ['jobs', 'serviceaccounts'])
    for (const verb of ['create', 'delete']) {
      const found = writes.filter((write) => new RegExp(`^${verb} .*${plural}`).test(write))
      t.equal(found.length, 2, `${verb} ${plural}: once at the installation and once at the upgrade`)
    }
  t.comment(`${writes.length} writes, ${runs} runs`)
}

void t.test('a Job has what other hooks of its event made, after a crash at every write', (t) =>
  hasWhatItNeeds(t, 'crashes'),
)

void t.test(
  'a Job has what other hooks of its event made, after a change of the leader at every write',
  (t) => hasWhatItNeeds(t, 'leader-changes'),
)

void t.test('it survives a change of the leader at every write', async (t) => {
  const { 'it is upgraded': _, ...steps } = options.steps
  const { missed, writes, runs } = await exhaust(operatorScenario({ ...options, steps }), {
    faults: ['leader-changes'],
    part: dailyPart,
  })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} changes`)
})
