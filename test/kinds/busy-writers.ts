import type { Client } from '../../sdk/engine/client/client.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { sleep, systemClock } from '../../sdk/engine/time/clock.js'

/** A car of any version. */
export interface Car extends KubeObject {
  spec: { wheels: number }
}

/** The result of {@link writeBusily}. */
export interface BusyWriters {
  /**
   * Ends the writers. Answers how often they wrote, and the wheels of the cars that they left, by name. Rejects if a
   * write failed.
   */
  stop(): Promise<{ writes: number; wheels: Map<string, number> }>
}

const writers = 4
const pauseMs = 5

/** Creates, changes and deletes cars all the time, in each of the versions in turn. */
export function writeBusily(client: Client, versions: readonly Resource<Car>[]): BusyWriters {
  const stop = new AbortController()
  const wheels = new Map<string, number>()
  let writes = 0
  const step = async (name: string, n: number) => {
    const resource = versions[n % versions.length] as Resource<Car>
    const key = { namespace: 'default', name }
    if (!wheels.has(name)) await client.create(resource, { metadata: key, spec: { wheels: n } })
    else if (n % 7 === 0) await client.delete(resource, key)
    else await client.patch(resource, key, { type: 'merge', body: { spec: { wheels: n } } })
    if (wheels.has(name) && n % 7 === 0) wheels.delete(name)
    else wheels.set(name, n)
    writes++
  }
  const work = async (writer: number) => {
    for (let n = 0; !stop.signal.aborted; n++) {
      await step(`busy-${writer}-${n % 5}`, n)
      await sleep(systemClock, pauseMs)
    }
  }
  const ended = Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)))
  ended.catch(() => {}) // `stop` rejects.
  return {
    stop: async () => {
      stop.abort()
      await ended
      return { writes, wheels }
    },
  }
}
