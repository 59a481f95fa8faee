import { Subject } from 'rxjs'
import t from 'tap'
import { configMaps } from '../sdk/kube/builtin.js'
import type { Outcome } from '../sdk/syncer/outcome.js'
import { NamespacedTranslator } from '../sdk/syncer/translator/namespaced-translator.js'
import { RestLimit, type SyncerRun } from './rest-limit.js'
import { type Register, testPlugin } from './test-plugin.js'

class Restless extends NamespacedTranslator {
  outcome: Outcome = {}

  override async syncDown() {
    return this.outcome
  }

  override async sync() {}
}

const registering =
  (outcome: Outcome): Register =>
  (plugin, ctx) => {
    const syncer = new Restless(ctx, 'restless', configMaps)
    syncer.outcome = outcome
    plugin.register(syncer)
  }

void t.test(
  'a plugin that never comes to rest fails its test with the syncer, the key and the result',
  async (t) => {
    for (const requeueAfterMs of [0, 10]) {
      await t.rejects(
        testPlugin(registering({ requeueAfterMs })),
        {
          code: 'NOT_SETTLED',
          message:
            /^the plugin does not come to rest: syncer restless, key [\w-]+\/kube-root-ca\.crt \(result requeue_after, next run in \d+ ms\) asked to run again 8 times in a row, while no object changed\. Return nothing to wait/,
        },
        `requeueAfterMs ${requeueAfterMs}`,
      )
    }
    const test = await testPlugin(registering({ requeueAfterMs: 5000 }))
    await test.settled()
    await test.stop()
  },
)

void t.test('what runs for ever while objects change ends, too', (t) => {
  const runs$ = new Subject<SyncerRun>()
  const limit = new RestLimit(runs$)
  const key = { namespace: 'a', name: 'b' }
  for (let run = 0; run < 1999; run++) {
    runs$.next({ syncer: 's', key, result: 'success', durationMs: 1 })
    limit.changed()
  }
  limit.check()
  runs$.next({ syncer: 's', key, result: 'requeue_after', nextInMs: 1, durationMs: 1 })
  t.throws(() => limit.check(), { code: 'NOT_SETTLED', message: /syncer s, key a\/b .* ran 2000 times/ })
  limit.end()
  t.equal(runs$.observed, false)
  t.end()
})
