// Tests how often the Pods of a volume copy are created that another program deletes each time.
import t from 'tap'
import { pods } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { startTimed, switchWorkspace } from '../module/modules.fixture.js'
import { copy, createFork, createPair, withVolumes } from './fork-data.fixture.js'
import { forkPods, kubelet, volumeMigration } from './volumes.fixture.js'

void t.test(
  'Pods that copy a volume and are deleted each time are created more and more rarely',
  async (t) => {
    const before = await startTimed(t, { modules: withVolumes })
    await before.operator.stop()
    await createPair(before.client, volumeMigration)
    const servers = { main: before.server }
    const test = await startTimed(t, { modules: withVolumes, servers, clock: before.clock })
    const { client } = test
    await createFork(test)
    await switchWorkspace(client, true)
    await test.pass(0)
    /** Deletes the Pods at this interval, for so many seconds. Returns how many. */
    const deleteEach = async (intervalSeconds: number, seconds: number) => {
      let deletions = 0
      for (let passed = 0; passed < seconds; passed += intervalSeconds) {
        const { items } = await client.list(pods, { labelSelector: 'forkspacer.com/fork' })
        for (const pod of items) await client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 })
        deletions += items.length
        await test.pass(intervalSeconds * 1_000)
      }
      return deletions
    }
    const first = await deleteEach(2, 60)
    t.ok(first >= 3 && first <= 10, `${first} deletions in the first minute`)
    const later = await deleteEach(10, 240)
    t.ok(later <= 6, `${later} in the next four`)
    const volumeOf = async () =>
      (await client.get(workspaces, copy)).status?.fork?.data?.find(
        ({ kind }) => kind === 'PersistentVolumeClaim',
      )
    t.match(await volumeOf(), {
      message: /Pod default\/fork-data-\S+ is deleted by another program each time/,
    })
    const played = kubelet()
    for (let turn = 0; turn < 64 && (await volumeOf())?.phase !== 'done'; turn++) {
      await played.play(test)
      await test.pass(5_000)
    }
    t.match(await volumeOf(), { phase: 'done' }, 'the volume is copied when the other has left')
    t.strictSame(await forkPods(client), [])
  },
)
