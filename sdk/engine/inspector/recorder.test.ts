import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps } from '../kube/builtin.js'
import type { KubeObject } from '../kube/object.js'
import { Recorder } from './recorder.js'

function nested(levels: number, innermost: string): KubeObject {
  let spec: object = { innermost }
  for (let n = 0; n < levels; n++) spec = { spec }
  return { metadata: { name: 'deep', namespace: 'default' }, spec } as KubeObject
}

void t.test('a write is recorded, and does not throw, if its object cannot be compared', (t) => {
  const recorder = new Recorder(new VirtualClock())
  const levels = 50_000
  recorder.written('host', { resource: configMaps, object: nested(levels, 'new') }, nested(levels, 'old'))
  t.match(recorder.history.latest('host v1 configmaps default/deep'), { what: 'write', verb: 'written' })
  t.end()
})
