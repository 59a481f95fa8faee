import t from 'tap'
import { configMaps, secrets } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import {
  hostObjectAnnotation,
  nameAnnotation,
  namespaceAnnotation,
} from '../../sdk/vcluster/naming/ownership-keys.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { CopyLog } from './copy-log.js'

const original = (version: string): KubeObject => ({
  metadata: { namespace: 'default', name: 'greeting', resourceVersion: version },
})

const copy = (version: string, text = 'hello'): KubeObject & { data: object } => ({
  metadata: {
    namespace: 'vcluster-dev',
    name: 'greeting-x-default-x-dev',
    resourceVersion: version,
    annotations: { [nameAnnotation]: 'greeting', [namespaceAnnotation]: 'default' },
  },
  data: { text },
})

/** Records changes at given times in milliseconds, and returns the result of the log. */
class Story {
  readonly #clock = new VirtualClock()
  readonly #log = new CopyLog('host', this.#clock)
  readonly told: string[] = []

  async after(ms: number): Promise<this> {
    await this.#clock.advance(ms)
    return this
  }

  virtual(type: 'listed' | 'applied' | 'deleted', object: KubeObject): this {
    this.#log.originalChanged(configMaps, { type, object })
    return this
  }

  host(type: 'listed' | 'applied' | 'deleted', object: KubeObject): this {
    const change = this.#log.copyChanged({
      resource: configMaps,
      event: { type, object },
      seenAtMs: this.#clock.now(),
    })
    if (change)
      this.told.push(change.latencyMs === undefined ? change.verb : `${change.verb} ${change.latencyMs}`)
    return this
  }
}

void t.test('a change of a copy is related to the latest change of its original', async (t) => {
  const story = new Story().virtual('applied', original('1'))
  ;(await story.after(9)).host('applied', copy('1'))
  ;(await story.after(5000)).virtual('applied', original('2'))
  ;(await story.after(3)).virtual('applied', original('3'))
  ;(await story.after(4)).host('applied', copy('2', 'two')).host('applied', copy('3', 'three'))
  ;(await story.after(5000)).virtual('deleted', original('4'))
  ;(await story.after(6)).host('deleted', copy('4'))
  t.strictSame(story.told, ['created 9', 'updated 4', 'updated 4', 'deleted 6'])
})

void t.test('a copy in the virtual cluster is related to its original on the host', (t) => {
  const log = new CopyLog('virtual', new VirtualClock())
  log.originalChanged(secrets, {
    type: 'applied',
    object: { metadata: { namespace: 'vcluster-dev', name: 'registry' } },
  })
  const annotations = { [hostObjectAnnotation]: 'vcluster-dev/registry' }
  const object = { metadata: { namespace: 'default', name: 'registry', annotations } }
  const seen = (object: KubeObject) =>
    log.copyChanged({ resource: secrets, event: { type: 'applied', object }, seenAtMs: 0 })
  t.match(seen(object), {
    side: 'virtual',
    verb: 'created',
    original: { namespace: 'vcluster-dev', name: 'registry' },
  })
  t.notOk(seen({ metadata: { name: 'of-its-user' } }))
  t.end()
})

void t.test(
  'a copy that a user changes or deletes is reported as edited, and then as repaired',
  async (t) => {
    const story = new Story().virtual('applied', original('1')).host('applied', copy('1'))
    ;(await story.after(5000)).host('applied', copy('2', 'by hand'))
    ;(await story.after(7)).host('applied', copy('3'))
    ;(await story.after(5000)).host('deleted', copy('4'))
    ;(await story.after(8)).host('applied', copy('5'))
    t.strictSame(story.told, ['created 0', 'edited', 'repaired 7', 'edited', 'repaired 8'])
  },
)

void t.test('objects from before the watch have no latency, and a relist reports nothing', async (t) => {
  const story = new Story().virtual('listed', original('1'))
  ;(await story.after(2000)).host('applied', copy('1'))
  story.virtual('listed', original('1')).host('listed', copy('1'))
  story.host('applied', { metadata: { namespace: 'vcluster-dev', name: 'a foreign object' } })
  ;(await story.after(5000)).host('applied', copy('2', 'by hand'))
  t.strictSame(story.told, ['created', 'edited'])
})

void t.test('a change that the program made of its own accord is not an edit of the user', async (t) => {
  const writtenBy = (object: KubeObject, ...writers: readonly [manager: string, second: number][]) => {
    const managedFields = writers.map(([manager, second]) => ({
      manager,
      operation: 'Update',
      time: `2026-01-01T00:00:0${second}Z`,
    }))
    return { ...object, metadata: { ...object.metadata, managedFields } }
  }
  const program = 'vcluster-plugin-sdk'
  const story = new Story().virtual('applied', original('1'))
  ;(await story.after(9)).host('applied', writtenBy(copy('1'), [program, 1]))
  ;(await story.after(5000)).host('applied', writtenBy(copy('2', 'status'), [program, 2]))
  ;(await story.after(5000)).host('applied', writtenBy(copy('3', 'edit'), [program, 2], ['kubectl-edit', 3]))
  ;(await story.after(5000)).host('applied', writtenBy(copy('4', 'more'), [program, 4], ['kubectl-edit', 3]))
  t.strictSame(story.told, ['created 9', 'updated', 'edited', 'updated'])
})
