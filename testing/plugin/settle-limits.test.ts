import { Subject } from 'rxjs'
import t from 'tap'
import type { ReconcileResult } from '../../sdk/engine/controller/reconcile-result.js'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { NamespacedTranslator } from '../../sdk/vcluster/syncer/translator/namespaced-translator.js'
import { SettleLimits, type SyncerRun } from './settle-limits.js'
import { type Register, testPlugin } from './test-plugin.js'

class Requeuing extends NamespacedTranslator {
  outcome: ReconcileResult = {}

  override async syncDown() {
    return this.outcome
  }

  override async sync() {}
}

const registering =
  (outcome: ReconcileResult): Register =>
  (plugin, ctx) => {
    const syncer = new Requeuing(ctx, 'requeuing', configMaps)
    syncer.outcome = outcome
    plugin.register(syncer)
  }

void t.test(
  'a plugin that never settles fails its test with the syncer, the key and what to do',
  async (t) => {
    for (const requeueAfterMs of [0, 10]) {
      await t.rejects(
        testPlugin(registering({ requeueAfterMs })),
        {
          code: 'NOT_SETTLED',
          message:
            /^the plugin does not settle: syncer requeuing asked \d+ times in a row to run again soon for [\w-]+\/[\w.-]+, the last time in \d+ ms, and no object changes\. If it waits for an object, return nothing: .* a requeueAfterMs above 1000, .* make the change first\.$/,
        },
        `requeueAfterMs ${requeueAfterMs}`,
      )
    }
    const test = await testPlugin(registering({ requeueAfterMs: 5000 }))
    await test.settled()
    await test.stop()
  },
)

void t.test('a key that is requeued soon is not idle, however long it waits', (t) => {
  const runs$ = new Subject<SyncerRun>()
  const limits = new SettleLimits(runs$)
  const run = { syncer: 's', key: { namespace: 'a', name: 'b' }, durationMs: 1 }
  for (let nextInMs = 5; nextInMs < 5000; nextInMs *= 2) {
    runs$.next({ ...run, result: 'requeue_after', nextInMs, isSoon: true })
    limits.recordChange()
    limits.check()
  }
  t.throws(() => limits.checkIdle(), {
    message: /syncer s asked 10 times in a row to run again soon for a\/b, .* and no object changes/,
  })
  runs$.next({ ...run, result: 'requeue_after', nextInMs: 5000 })
  limits.checkIdle()
  runs$.next({ ...run, result: 'error', nextInMs: 5000 })
  limits.checkIdle()
  limits.end()
  t.end()
})

void t.test('a key that is reconciled endlessly while objects change is reported, too', (t) => {
  const runs$ = new Subject<SyncerRun>()
  const limits = new SettleLimits(runs$)
  const key = { namespace: 'a', name: 'b' }
  for (let run = 0; run < 1999; run++) {
    runs$.next({ syncer: 's', key, result: 'success', durationMs: 1 })
    limits.recordChange()
  }
  limits.check()
  runs$.next({ syncer: 's', key, result: 'requeue_after', nextInMs: 1, durationMs: 1 })
  t.throws(() => limits.check(), {
    code: 'NOT_SETTLED',
    message: /syncer s ran 2000 times for a\/b, and objects go on changing\. Look for two writers/,
  })
  limits.end()
  t.equal(runs$.observed, false)
  t.end()
})
