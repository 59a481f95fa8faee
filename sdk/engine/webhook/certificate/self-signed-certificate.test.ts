import { Subject } from 'rxjs'
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { Cluster } from '../../cluster/cluster.js'
import type { Secret } from '../../kube/builtin.js'
import { ApiError } from '../../kube/error.js'
import { silentLogger } from '../../observe/logger.js'
import type { WatchEvent } from '../../watch/event.js'
import { SelfSignedCertificate } from './self-signed-certificate.js'

const key = { namespace: 'system', name: 'certificate' }
const notFound = () =>
  new ApiError({
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    code: 404,
    reason: 'NotFound',
    message: '',
  })

/** A cluster with one Secret. `onStored` is called after each write of it. */
function secretCluster(onStored: (cluster: { set(secret: Secret | undefined): void }) => void) {
  const events = new Subject<WatchEvent>()
  let stored: Secret | undefined
  let writes = 0
  const set = (secret: Secret | undefined) => {
    const object = secret ?? stored
    stored = secret
    if (object) events.next({ type: secret ? 'applied' : 'deleted', object })
  }
  const client = {
    get: async () => {
      if (!stored) throw notFound()
      return stored
    },
    patch: async (_resource: unknown, _key: unknown, { body }: { body: Secret }) => {
      writes++
      set(body)
      setImmediate(() => onStored({ set }))
      return body
    },
  }
  const cluster = { client, watch$: () => events } as unknown as Pick<Cluster, 'client' | 'watch$'>
  return { cluster, writes: () => writes, stored: () => stored }
}

async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1000)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

const rivals = {
  deletes: () => undefined,
  changes: (secret: Secret) => ({ ...secret, data: { ...secret.data, 'tls.crt': '' } }),
}

for (const [what, rival] of Object.entries(rivals))
  void t.test(`a Secret that another program ${what} each time is stored more and more rarely`, async (t) => {
    const clock = new VirtualClock()
    const stop = new AbortController()
    const warnings: string[] = []
    const served = new Set<string>()
    let isRivalGone = false
    const { cluster, writes, stored } = secretCluster(({ set }) => {
      const secret = stored()
      if (!isRivalGone && secret) set(rival(secret))
    })
    const certificate = new SelfSignedCertificate({
      cluster,
      secret: key,
      names: { dnsNames: ['webhook.system.svc'], addresses: [] },
      fieldManager: 'test',
      use: (pair) => served.add(pair.certificate),
      publish: async () => true,
      logger: { ...silentLogger, warn: (_, message) => warnings.push(message) },
      clock,
    })
    certificate.follow(stop.signal)
    const kept = certificate.keep(stop.signal)
    await pass(clock, 60)
    t.ok(writes() >= 5 && writes() <= 12, `${writes()} writes in the first minute`)
    const first = writes()
    await pass(clock, 240)
    t.ok(writes() - first <= 6, `${writes() - first} in the next four`)
    t.match(warnings, [/deletes or changes the Secret system\/certificate .* each time/])
    t.equal(served.size, 1, 'the same certificate is served all the time')
    isRivalGone = true
    await pass(clock, 600)
    t.ok(stored()?.data?.['tls.crt'], 'it is stored when the other has left')
    stop.abort()
    await kept
  })

void t.test('a Secret that cannot be stored is tried each second', async (t) => {
  const clock = new VirtualClock()
  const stop = new AbortController()
  let attempts = 0
  const client = {
    get: () => Promise.reject(notFound()),
    patch: () => {
      attempts++
      return Promise.reject(new Error('no permission'))
    },
  }
  const certificate = new SelfSignedCertificate({
    cluster: { client } as unknown as Pick<Cluster, 'client' | 'watch$'>,
    secret: key,
    names: { dnsNames: ['webhook.system.svc'], addresses: [] },
    fieldManager: 'test',
    use: () => {},
    publish: async () => true,
    logger: silentLogger,
    clock,
  })
  const kept = certificate.keep(stop.signal)
  await pass(clock, 30)
  t.ok(attempts >= 25, `${attempts} attempts`)
  stop.abort()
  await kept
})
