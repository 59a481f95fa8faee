// A runner for a program that a test gives as text, a log and a cluster.
import type { Test } from 'tap'
import type { LogFields, Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { OperationContext } from '../manager/manager.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { ProgramRunner } from '../manager/program-runner.js'
import { MetaData } from '../metadata/metadata.js'
import { digestOf } from '../program/digest.js'
import { ProgramCache } from '../program/program-cache.js'
import { processRunner } from './process-runner.js'

/** The methods that a test does not mention. */
const others = 'install() {}, uninstall() {}, sleep() {}, resume() {}'

/** The text of a program whose manager has these methods. `top` comes before it. */
export const programText = (methods: string, top = ''): string =>
  `${top}\nexport const newManager = ({ logger, cluster, config, module }) => ({ ${others}, ${methods} })\n`

/** A logger that keeps its lines as text. */
export function keptLog(): { lines: string[]; logger: Logger } {
  const lines: string[] = []
  const write = (level: string) => (fields: LogFields, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  }
  return { lines, logger }
}

/** A cluster that writes down its calls and answers with their first argument. */
function keptCluster(): { calls: unknown[]; cluster: ModuleCluster } {
  const calls: unknown[] = []
  const call = (method: string) => async (first: unknown) => {
    calls.push([method, first])
    return first
  }
  const methods = ['get', 'list', 'apply', 'delete', 'scaleDown', 'scaleUp', 'wait']
  const cluster = Object.fromEntries(methods.map((method) => [method, call(method)]))
  return { calls, cluster: cluster as unknown as ModuleCluster }
}

/** A runner of a program, and what a test needs to call it. */
export function setUp(
  t: Test,
  text: string,
  options: { clock?: Clock; memoryMb?: number; advised?: Set<string> } = {},
) {
  const content = Buffer.from(text)
  const { lines, logger } = keptLog()
  const { calls, cluster } = keptCluster()
  const cache = new ProgramCache(t.testdir())
  const runner: ProgramRunner = processRunner(
    { content, digest: digestOf(content) },
    { cache, logger, ...options },
  )
  t.teardown(() => runner.close())
  const stored: string[] = []
  const metaData = new MetaData({
    maxBytes: 65_536,
    store: async (all) => void stored.push(JSON.stringify(all)),
  })
  const open = (workspace = 'default', name = 'shop', config: unknown = {}) =>
    runner.open({ name, namespace: 'default', uid: `uid-of-${name}`, workspace }, config, cluster)
  return { runner, open, lines, logger, calls, cluster, metaData, stored }
}

/** The context of a call. */
export function context(signal = new AbortController().signal, logger = keptLog().logger): OperationContext {
  return {
    signal,
    logger,
    deadlineMs: 300_000,
    attempt: 1,
    operationId: 'operation-1',
    reason: 'first',
    until: async () => {},
  }
}
