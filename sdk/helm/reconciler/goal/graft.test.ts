import t from 'tap'
import type { RenderedObject } from '../../render/renderer.js'
import { configMap } from '../greetings.fixture.js'
import { Graft } from './graft.js'

const source = 'a.yaml'

/** ConfigMaps with a random text, and with a random name each. */
const drawn = (count: number, random: string): RenderedObject[] =>
  Array.from({ length: count }, (_, index) => index).flatMap((index) => [
    { source, object: configMap(`a-${index}`, { text: `${random}-${index}` }) },
    { source, object: configMap(`${random}-${index}`, { text: random }) },
  ])

void t.test('recorded objects are found by name or place, and read a few times each', async (t) => {
  let reads = 0
  const stored = drawn(300, 'recorded').map((object) => ({
    source,
    get object() {
      reads++
      return object.object
    },
  }))
  const grafted = new Graft(new Set()).graftObjects(drawn(300, 'one'), drawn(300, 'two'), stored)
  t.strictSame(grafted, drawn(300, 'recorded'))
  t.ok(reads < 20 * stored.length, `${reads} reads of ${stored.length} objects`)
})
