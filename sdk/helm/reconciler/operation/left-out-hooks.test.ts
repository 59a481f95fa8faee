// Tests hooks with an event that Helm does not know.
import t from 'tap'
import { configMaps } from '../../../engine/kube/builtin.js'
import { create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'

void t.test(
  'a hook with an unknown event is left out, and an Event names it once for each revision',
  async (t) => {
    const test = await start(t)
    await create(test, { hook: 'post-everything' })
    await test.settled()
    t.strictSame(await history(test), ['1 deployed'])
    t.ok(await find(test, configMaps), 'the rest is installed')
    const message =
      'the chart of hello has hooks with an event that Helm does not know, which are left out: ' +
      'Pod hello-hook of greeter/templates/objects.yaml (post-everything)'
    t.strictSame(await eventsOf(test, 'UnknownHook'), [message])
    await edit(test, { metadata: { labels: { any: 'thing' } } })
    await test.settled()
    t.strictSame(await eventsOf(test, 'UnknownHook'), [message])
  },
)
