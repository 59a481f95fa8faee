import t from 'tap'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { onParentGone } from './parent-gone.js'

/** Whether the callback runs after the end of the parent, for a script of npm. */
async function isCalled(script: string | undefined): Promise<boolean> {
  const clock = new VirtualClock()
  let [parent, calls] = [4711, 0]
  const env = { npm_lifecycle_script: script }
  onParentGone({ env, parentId: () => parent, clock, onGone: () => calls++ })
  await clock.advance(2000)
  if (calls > 0) throw new Error('the parent is there')
  parent = 1
  await clock.advance(2000)
  return calls === 1
}

void t.test('a command that npm or npx runs in the foreground hears of the end of its parent', async (t) => {
  for (const script of ["'vcluster-plugin'", 'vcluster-plugin dev .', 'a && vcluster-plugin dev . 2>&1'])
    t.ok(await isCalled(script), script)
})

void t.test('a command in the background outlives its parent', async (t) => {
  const scripts = [
    undefined,
    'nohup vcluster-plugin dev .',
    'setsid vcluster-plugin dev',
    'vcluster-plugin dev . &',
    'bash',
  ]
  for (const script of scripts) t.notOk(await isCalled(script), script ?? 'no script')
})
