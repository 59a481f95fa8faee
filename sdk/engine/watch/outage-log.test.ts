import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { NetworkError } from '../kube/network-error.js'
import { type LogFields, type Logger, silentLogger } from '../observe/logger.js'
import { OutageLog } from './outage-log.js'

/** Watches of one cluster, their log of outages, and its lines. */
function makeOutages(...resources: string[]) {
  const lines: string[] = []
  const write = (level: string) => (fields: LogFields, message: string) => {
    const { error, ...rest } = fields
    lines.push([level, message, JSON.stringify(rest), (error as Error | undefined)?.message].join(' ').trim())
  }
  const logger: Logger = { ...silentLogger, info: write('info'), warn: write('warn') }
  const clock = new VirtualClock()
  const log = new OutageLog({ cluster: 'host', logger, clock })
  const watches = resources.map((resource) => ({ resource }))
  for (const watch of watches) log.join(watch)
  const fail = () => {
    for (const watch of watches) log.recordFailure(watch, new NetworkError('refused'))
  }
  return { log, clock, watches, fail, take: () => lines.splice(0) }
}

const begun = 'warn the cluster does not answer; trying again until it does'

void t.test(
  'an outage of all watches is reported once when it begins and once when it is over',
  async (t) => {
    const { log, clock, watches, fail, take } = makeOutages('pods', 'services', 'jobs.batch')
    fail()
    t.same(take(), [], 'the failures of the other watches follow')
    await clock.advance(300)
    t.same(take(), [`${begun} {"cluster":"host","kinds":3} refused`])
    await clock.advance(20_000)
    fail()
    for (const watch of watches) {
      t.same(take(), [], 'as long as one watch has no answer')
      log.recordAnswer(watch)
    }
    t.same(take(), ['info the cluster answers again {"cluster":"host","kinds":3,"lastedSeconds":20}'])
  },
)

void t.test('a long outage is reported again after 1, 3, 7 and 15 minutes, and then every 16', async (t) => {
  const { clock, fail, take } = makeOutages('pods', 'services')
  const minutes: number[] = []
  for (let seconds = 0; seconds <= 50 * 60; seconds += 15) {
    fail()
    await clock.advance(15_000)
    const lines = take()
    if (lines.length > 0) minutes.push(Math.floor(seconds / 60))
    if (seconds > 60 && lines.length > 0)
      t.match(lines[0], /^warn the cluster .*"kinds":2,"lastsSeconds":\d+\} refused$/)
  }
  t.same(minutes, [0, 1, 3, 7, 15, 31, 47])
})

void t.test('a certificate that is not trusted is reported at once, also during an outage', async (t) => {
  const { log, clock, watches, fail, take } = makeOutages('pods')
  fail()
  await clock.advance(300)
  t.same(take(), [`${begun} {"cluster":"host","resource":"pods"} refused`])
  const untrusted = new NetworkError('self-signed certificate', { isOfCertificates: true })
  for (let round = 0; round < 3; round++) for (const watch of watches) log.recordFailure(watch, untrusted)
  t.match(take(), [/^warn the cluster does not answer; .* self-signed certificate$/])
})

void t.test('a watch that fails alone is named', async (t) => {
  const { log, clock, watches, take } = makeOutages('pods', 'services')
  const [pods] = watches
  if (pods) log.recordFailure(pods, new NetworkError('reset'))
  await clock.advance(300)
  t.same(take(), [
    'warn watches of the cluster broke off; trying again {"cluster":"host","resource":"pods"} reset',
  ])
})

void t.test('a short outage has both lines, and a watch that leaves has none', async (t) => {
  const { log, clock, watches, fail, take } = makeOutages('pods')
  fail()
  for (const watch of watches) log.recordAnswer(watch)
  t.match(take(), [begun, 'info the cluster answers again'])
  fail()
  for (const watch of watches) log.leave(watch)
  await clock.advance(1000)
  t.same(take(), [])
})

void t.test('an outage of the whole cluster is reported although one watch had failed before', async (t) => {
  const { log, clock, watches, fail, take } = makeOutages('pods', 'services')
  const [pods] = watches
  if (pods) log.recordFailure(pods, new NetworkError('cut'))
  await clock.advance(300)
  t.match(take(), [/^warn watches of the cluster broke off.*"resource":"pods"/])
  await clock.advance(5000)
  fail()
  await clock.advance(300)
  t.match(take(), [/^warn the cluster does not answer/])
  if (pods) log.recordAnswer(pods)
  await clock.advance(120_000)
  for (const watch of watches.slice(1)) log.recordFailure(watch, new NetworkError('cut'))
  t.match(take(), [/^warn watches of the cluster broke off/], 'the rest is not the whole cluster')
})
