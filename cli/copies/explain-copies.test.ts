import { Subject } from 'rxjs'
import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { nameAnnotation, namespaceAnnotation } from '../../sdk/vcluster/naming/ownership-keys.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { CopyLog } from './copy-log.js'
import { explainCopies, type KindEvent } from './explain-copies.js'

/** The events of a virtual and a host cluster, whose watches are read one by one. */
function watched() {
  const clock = new VirtualClock()
  const [originals$, copies$] = [new Subject<KindEvent>(), new Subject<KindEvent>()]
  const told: string[] = []
  explainCopies(originals$, copies$, new CopyLog('host', clock), clock).subscribe(
    ({ original, verb, latencyMs }) => told.push([original.name, verb, latencyMs].join(' ').trim()),
  )
  const event = (object: KubeObject): KindEvent => ({
    resource: configMaps,
    event: { type: 'applied', object },
  })
  return {
    told,
    after: (ms: number) => clock.advance(ms),
    original: (name: string, resourceVersion = '1') =>
      originals$.next(event({ metadata: { namespace: 'default', name, resourceVersion } })),
    copy: (name: string, text = 'hello') => {
      const annotations = { [nameAnnotation]: name, [namespaceAnnotation]: 'default' }
      const metadata = { namespace: 'vcluster-dev', name: `${name}-x-default-x-dev`, annotations }
      copies$.next(event({ metadata, data: { text } } as KubeObject))
    },
  }
}

void t.test('a copy that is seen before its original is created, not edited', async (t) => {
  const { told, after, original, copy } = watched()
  copy('a')
  copy('b')
  t.strictSame(told, [], 'both wait')
  await after(20)
  original('b')
  original('a')
  t.strictSame(told, ['a created 0', 'b created 0'], 'in the order of the copies')
  await after(5000)
  copy('a', 'two')
  await after(20)
  original('a', '2')
  t.strictSame(told.slice(2), ['a updated 0'])
})

void t.test('an edit is reported after a while, and its repair at once after it', async (t) => {
  const { told, after, original, copy } = watched()
  original('a')
  copy('a')
  await after(5000)
  copy('a', 'by hand')
  await after(7)
  copy('a')
  t.strictSame(told, ['a created 0'])
  await after(250)
  t.strictSame(told.slice(1), ['a edited', 'a repaired 7'])
})

void t.test('a copy whose original is never seen is created', async (t) => {
  const { told, after, copy } = watched()
  copy('a')
  await after(250)
  t.strictSame(told, ['a created'])
})
