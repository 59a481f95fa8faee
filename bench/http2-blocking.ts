// Measures how long small calls take while watches receive a lot, on one HTTP/2 session and on a session for each, in
// turns: `npm run bench:blocking`. Needs KUBEBUILDER_ASSETS.
import { once } from 'node:events'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Cancellation } from '../sdk/engine/time/cancellation.js'
import { systemClock } from '../sdk/engine/time/clock.js'
import type { Http2Call } from '../sdk/engine/transport/http2/call.js'
import { ReadBuffer } from '../sdk/engine/transport/http2/read-buffer.js'
import { Http2Session } from '../sdk/engine/transport/http2/session.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { missingAssets, startRealCluster } from '../test/real/real-cluster.js'

const objects = 2000
const payload = 'x'.repeat(10_000)
const rounds = 5
const missing = missingAssets()
if (missing) throw new Error(missing)

const cluster = await startRealCluster()
const { caData = '', user } = await loadKubeconfig({ text: cluster.kubeconfig })
const url = new URL(cluster.url)
const decoded = (text = '') => Buffer.from(text, 'base64')
const path = '/api/v1/namespaces/default/configmaps'
const headers = { 'content-type': 'application/json', accept: 'application/json' }

async function open(): Promise<Http2Session> {
  const readBuffer = new ReadBuffer()
  const options = {
    host: url.hostname,
    port: Number(url.port),
    ca: decoded(caData),
    cert: decoded(user.certData),
    key: decoded(user.keyData),
    ALPNProtocols: ['h2'],
    onread: readBuffer,
  }
  const socket: TLSSocket = connectTls(options)
  await once(socket, 'secureConnect')
  socket.setNoDelay(true)
  return Http2Session.open({
    socket,
    readBuffer,
    clock: systemClock,
    authority: url.host,
    signal: new Cancellation(),
  })
}

function call(method: string, target: string, body?: string): Http2Call {
  return { method, path: target, headers, signal: new Cancellation(), ...(body !== undefined && { body }) }
}

/** Makes small calls one after the other until `until` is settled, and returns how long each took, in milliseconds. */
async function latencies(session: Http2Session, until: Promise<unknown>): Promise<number[]> {
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  const taken: number[] = []
  while (!isOver) {
    const startMs = performance.now()
    await session.request(call('GET', `${path}/cm-0`))
    taken.push(performance.now() - startMs)
  }
  return taken
}

/** Opens a watch that begins with every object, and resolves when all have come. */
function receiveAll(session: Http2Session): Promise<void> {
  let bytes = 0
  return new Promise((resolve, reject) => {
    const watch = session.watch(call('GET', `${path}?watch=1&resourceVersion=0`), {
      onHeaders: () => {},
      onData: (part) => {
        bytes += part.length
        watch.take(part.length)
        if (bytes < objects * payload.length) return
        watch.cancel(new Error('all came'))
        resolve()
      },
      onEnded: () => reject(new Error('the watch ended')),
      onFailed: () => {},
    })
  })
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

const seen = new Map<string, number[]>()

async function measure(
  name: string,
  watches: number,
  sessions: [calls: Http2Session, watches: Http2Session],
) {
  const received = Promise.all(Array.from({ length: watches }, () => receiveAll(sessions[1])))
  const busy = watches === 0 ? new Promise((resolve) => setTimeout(resolve, 1000)) : received
  const taken = await latencies(sessions[0], busy)
  seen.set(name, [...(seen.get(name) ?? []), ...taken])
}

try {
  const [one, calls, watches] = [await open(), await open(), await open()]
  const made = Array.from({ length: objects }, (_, at) =>
    one.request(
      call(
        'POST',
        path,
        JSON.stringify({ metadata: { name: `cm-${at}` }, data: { payload: at === 0 ? '' : payload } }),
      ),
    ),
  )
  await Promise.all(made)
  for (let round = 0; round < rounds; round++) {
    await measure('no watch', 0, [calls, watches])
    for (const count of [1, 4]) {
      await measure(`${count} on one session`, count, [one, one])
      await measure(`${count} on another session`, count, [calls, watches])
    }
  }
  for (const session of [one, calls, watches]) await session.drain()
} finally {
  await cluster.stop()
}

console.log(
  `${objects} objects of ${payload.length} bytes for each watch; small calls one after the other, ms`,
)
console.log(
  `${'watches'.padEnd(24)}${'calls'.padStart(7)}${'p50'.padStart(8)}${'p99'.padStart(8)}${'most'.padStart(8)}`,
)
for (const [name, taken] of seen) {
  const sorted = taken.sort((a, b) => a - b)
  const figures = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)].map((ms) => ms.toFixed(1).padStart(8))
  console.log(`${name.padEnd(24)}${String(sorted.length).padStart(7)}${figures.join('')}`)
}
