import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { AdmissionCaches } from '../admission-caches.js'
import { caches } from '../caches.fixture.js'
import { KnownConversions, reviewHandlers } from '../review-handlers.js'

void t.test('objects that fail to convert do not flood the log', async (t) => {
  const clock = new VirtualClock()
  const lines: object[] = []
  const logger: Logger = { ...silentLogger, warn: (fields) => void lines.push(fields) }
  const handlers = reviewHandlers([{ resource: caches }], {
    logger,
    clock,
    caches: new AdmissionCaches({ clock }),
    conversions: new KnownConversions(),
  })
  const [served] = [...handlers].flatMap(([path, one]) => (path.includes('convert') ? [one] : []))
  const list = async (from: string, to: string) => {
    const apiVersion = `cache.my.domain/${from}`
    const object = { apiVersion, kind: 'Cache', metadata: { name: 'a' }, spec: { replicas: 'many' } }
    const objects = Array.from({ length: 500 }, () => object)
    await served?.answer({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: '7', desiredAPIVersion: `cache.my.domain/${to}`, objects },
    })
  }
  await list('v1', 'v1beta1')
  t.match(lines, [{ from: 'v1', to: 'v1beta1', failures: 1, kind: /caches/, error: { type: 'TypeError' } }])
  t.equal(lines.length, 1)
  await list('v1', 'v1beta1')
  t.equal(lines.length, 1)
  await clock.advance(60_000)
  await list('v1', 'v1beta1')
  t.equal(lines.length, 2)
  t.match(lines[1], { failures: Number })
  t.ok((lines[1] as { failures: number }).failures >= 1000, 'the line has the number of failures')
})
