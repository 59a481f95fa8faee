import t from 'tap'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { ReleaseHook } from '../../render/release-hook.js'
import { configMap } from '../greetings.fixture.js'
import type { ReleaseRun } from '../run/release-run.js'
import { checkRenderedNow } from './check-rendered-now.js'

void t.test('a rendering is read once, however many hooks are compared with it', async (t) => {
  const hooks: ReleaseHook[] = []
  for (let hook = 0; hook < 5; hook++) {
    const manifest = JSON.stringify(configMap(`hook-${hook}`, {}))
    hooks.push({ name: `hook-${hook}`, kind: 'ConfigMap', path: 'a', manifest, events: ['pre-delete'] })
  }
  let reads = 0
  const chart = {
    get objects() {
      reads++
      return []
    },
    hooks,
  }
  const run = { ctx: { signal: new AbortController().signal }, release: { name: 'hello' } }
  const check = (object: KubeObject) =>
    checkRenderedNow(run as unknown as ReleaseRun, [{ object, reason: 'it' }], async () => chart as never)
  for (let hook = 0; hook < 5; hook++) await check(configMap(`hook-${hook}`, {}))
  await t.rejects(check(configMap('other', {})), /release hello is not carried out: it, and its chart/)
  t.equal(reads, 1)
})
