import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import type { TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import { type Deployment, deployments } from '../../../engine/kube/builtin.js'
import { podReferences } from '../references/pod-references.js'
import { mirrorDown } from '../translator/mirror.js'
import { contests, hostKey, key, pass, turns } from './rival.fixture.js'

const labels = { app: 'a' }
const references = { ...podReferences('spec.template.spec'), 'spec.selector': 'plain' } as const
const options = { statusUp: true, references }
const original: Deployment = {
  metadata: key,
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
}

/**
 * The host gives each copy a status of its own, and another program deletes the copy when the original has that status.
 */
function hostWithDeleter({ host, virtual }: TestPlugin) {
  let deletions = 0
  let isOver = false
  const step = async () => {
    const copy = await host.get(deployments, hostKey)
    const status = { observedGeneration: deletions + 1 }
    if (copy.status?.observedGeneration !== status.observedGeneration)
      return host.patch(deployments, hostKey, { type: 'merge', subresource: 'status', body: { status } })
    const { status: shown } = await virtual.get(deployments, key)
    if (shown?.observedGeneration !== status.observedGeneration) return undefined
    await host.delete(deployments, hostKey)
    return deletions++
  }
  const work = async () => {
    while (!isOver) {
      await step().catch(() => {})
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const done = work()
  return {
    deletions: () => deletions,
    end: () => {
      isOver = true
      return done
    },
  }
}

void t.test(
  'a copy that is deleted each time is created more and more rarely, although its status is copied up',
  async (t) => {
    const clock = new VirtualClock()
    const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, deployments, options)), {
      clock,
    })
    await test.virtual.create(deployments, original)
    await turns(100)
    const { deletions, end } = hostWithDeleter(test)
    t.teardown(end)
    await pass(clock, 60)
    t.ok(deletions() >= 5 && deletions() <= 12, `${deletions()} deletions in the first minute`)
    const first = deletions()
    await pass(clock, 240)
    t.ok(deletions() - first <= 6, `${deletions() - first} in the next four`)
    t.match(await contests(test), [/deletes the copy vcluster-vc\/a-x-default-x-vc each time/])
  },
)

void t.test(
  'a status that a program of the virtual cluster sets back each time is copied up rarely',
  async (t) => {
    const clock = new VirtualClock()
    const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, deployments, options)), {
      clock,
    })
    await test.virtual.create(deployments, original)
    await turns(100)
    const status = (replicas: number) =>
      ({ type: 'merge', subresource: 'status', body: { status: { replicas } } }) as const
    await test.host.patch(deployments, hostKey, status(1))
    await turns(100)
    const shown = async () => (await test.virtual.get(deployments, key)).status?.replicas
    t.equal(await shown(), 1)
    let writes = 0
    let isOver = false
    const work = async () => {
      while (!isOver) {
        if ((await shown()) !== 9 && ++writes) await test.virtual.patch(deployments, key, status(9))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const done = work()
    await pass(clock, 60)
    t.ok(writes >= 5 && writes <= 12, `${writes} writes in the first minute`)
    const first = writes
    await pass(clock, 240)
    t.ok(writes - first <= 6, `${writes - first} in the next four`)
    t.match(await contests(test), [/sets status\.replicas of default\/a in the virtual cluster/])
    await test.host.patch(deployments, hostKey, status(2))
    isOver = true
    await done
    await pass(clock, 600)
    t.equal(await shown(), 2, 'it is right when the other has left')
  },
)
