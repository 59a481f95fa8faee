import type { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import type { Client } from '../../../engine/client/client.js'
import { type ConfigMap, configMaps, events } from '../../../engine/kube/builtin.js'
import type { Key } from '../../../engine/kube/key.js'
import { UpTranslator } from '../translator/up-translator.js'

/** The original of the tests, and its copy. */
export const key = { namespace: 'default', name: 'a' }
export const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }
export const original = { metadata: key, data: { text: 'hi' } }

/** Copies the ConfigMap `shared` of the host to {@link key}. */
export class FromHost extends UpTranslator<ConfigMap> {
  override isManaged = ({ metadata }: ConfigMap) => metadata.labels?.shared === 'true'
  override hostToVirtual = () => key
  override virtualToHost = () => ({ namespace: 'vcluster-vc', name: 'shared' })
}

/** Another program that contests fields. */
export interface Rival {
  /** How often it has set them. */
  writes(): number
  end(): Promise<void>
}

/** Options of {@link rival}. */
export interface RivalOptions {
  client: Client
  at: Key
  body: object
  isSet: (object: ConfigMap) => boolean
}

/** Another program, which takes a step in each turn until it is ended. A step returns whether it has written. */
export function repeated(step: () => Promise<boolean>): Rival {
  let writes = 0
  let isOver = false
  const work = async () => {
    while (!isOver) {
      if (await step()) writes++
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const done = work()
  return {
    writes: () => writes,
    end: () => {
      isOver = true
      return done
    },
  }
}

/** Another program, which sets fields of a ConfigMap whenever they differ. */
export const rival = ({ client, at, body, isSet }: RivalOptions): Rival =>
  repeated(async () => {
    const found = await client.get(configMaps, at).catch(() => undefined)
    if (!found || isSet(found)) return false
    await client.patch(configMaps, at, { type: 'merge', body })
    return true
  })

/** Another program, which deletes a ConfigMap whenever it exists. Its `writes` are the deletions. */
export const deleter = (client: Client, at: Key): Rival =>
  repeated(() =>
    client.delete(configMaps, at).then(
      () => true,
      () => false,
    ),
  )

export const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Time passes in steps of a second. */
export async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1000)
    await turns(60)
  }
}

/** Another program writes a few times at once, and then only as rarely as the plugin does. Takes five minutes. */
export async function becomesRare(t: Tap, clock: VirtualClock, { writes }: Rival): Promise<void> {
  await pass(clock, 60)
  const first = writes()
  t.ok(first >= 5 && first <= 12, `${first} writes in the first minute`)
  await pass(clock, 240)
  t.ok(writes() - first <= 6, `${writes() - first} in the next four`)
}

interface Tap {
  ok(value: boolean, message: string): void
}

/** The messages of the Events about contested fields. */
export async function contests(test: TestPlugin): Promise<string[]> {
  const { items } = await test.virtual.list(events, { namespace: 'default' })
  return items.flatMap((event) =>
    'reason' in event && event.reason === 'FieldContested' && 'message' in event ? [`${event.message}`] : [],
  )
}
