import type { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import type { Client } from '../../../engine/client/client.js'
import { type ConfigMap, configMaps, events } from '../../../engine/kube/builtin.js'
import type { Key } from '../../../engine/kube/key.js'

/** The original of the tests, and its copy. */
export const key = { namespace: 'default', name: 'a' }
export const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }
export const original = { metadata: key, data: { text: 'hi' } }

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

/** Another program, which sets fields of a ConfigMap whenever they differ. */
export function rival({ client, at, body, isSet }: RivalOptions): Rival {
  let writes = 0
  let isOver = false
  const work = async () => {
    while (!isOver) {
      const found = await client.get(configMaps, at).catch(() => undefined)
      if (found && !isSet(found)) {
        await client.patch(configMaps, at, { type: 'merge', body })
        writes++
      }
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

/** Another program, which deletes a ConfigMap whenever it exists. Its `writes` are the deletions. */
export function deleter(client: Client, at: Key): Rival {
  let deletions = 0
  let isOver = false
  const work = async () => {
    while (!isOver) {
      await client.delete(configMaps, at).then(
        () => deletions++,
        () => {},
      )
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const done = work()
  return {
    writes: () => deletions,
    end: () => {
      isOver = true
      return done
    },
  }
}

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

/** The messages of the Events about contested fields. */
export async function contests(test: TestPlugin): Promise<string[]> {
  const { items } = await test.virtual.list(events, { namespace: 'default' })
  return items.flatMap((event) =>
    'reason' in event && event.reason === 'FieldContested' && 'message' in event ? [`${event.message}`] : [],
  )
}
