import type { VirtualClock } from '../../testing/clock/virtual-clock.js'
import {
  type TestOperator,
  type TestOperatorOptions,
  testOperator,
} from '../../testing/operator/test-operator.js'
import { silentLogger } from '../engine/observe/logger.js'
import type { Transport } from '../engine/transport/transport.js'
import { type Backup, backupDefinition, backups } from './backups.fixture.js'
import type { ControllerOptions } from './controller/definition.js'
import { controller } from './engine/controller.js'

/** An operator that runs until its test ends, and what it sends. */
export interface RecordedOperator extends TestOperator {
  /** The writes of the operator, as method and path. */
  writes: string[]
  /** Its other requests except watches, likewise. */
  reads: string[]
}

interface RecordedOptions extends Pick<TestOperatorOptions, 'servers' | 'clock' | 'logger'> {
  /** Changes what the operator sends, or the answers. */
  wrap?: (transport: Transport) => Transport
}

type Tap = { teardown(done: () => Promise<void>): void }

/** Runs one controller of {@link backups} on embedded clusters. */
export async function recordedOperator(
  t: Tap,
  options: ControllerOptions<Backup>,
  { wrap = (transport) => transport, ...more }: RecordedOptions = {},
): Promise<RecordedOperator> {
  const sent = { writes: [] as string[], reads: [] as string[] }
  const test = await testOperator((operator) => operator.register(controller(backups, options)), {
    name: 'memcached-operator',
    definitions: [backupDefinition],
    logger: silentLogger,
    ...more,
    wrap: (transport) => recording(wrap(transport), sent),
  })
  t.teardown(() => test.stop())
  return { ...test, ...sent }
}

/** The same transport, recording each request. */
function recording(
  transport: Transport,
  { writes, reads }: { writes: string[]; reads: string[] },
): Transport {
  return {
    request: (request) => {
      const to = request.method === 'GET' ? reads : writes
      to.push(`${request.method} ${request.path.split('?')[0]}`)
      return transport.request(request)
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
}

/** A merge patch. */
export const merge = (body: object) => ({ type: 'merge', body }) as const

/** Time passes in steps of a second. */
export async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1000)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}
