// An operator with a secret in its environment and in a file. It runs one program, prints what that brought back, and
// what happened to itself.
import { readFileSync } from 'node:fs'
import inspector from 'node:inspector'
import os from 'node:os'
import process from 'node:process'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import type { ModuleCluster } from '../../sdk/modules/manager/module-cluster.js'
import { MetaData } from '../../sdk/modules/metadata/metadata.js'
import { findBoundary } from '../../sdk/modules/process/boundary/find-boundary.js'
import { processRunner } from '../../sdk/modules/process/process-runner.js'
import { digestOf } from '../../sdk/modules/program/digest.js'
import { ProgramCache } from '../../sdk/modules/program/program-cache.js'

const [programFile = '', folder = ''] = process.argv.slice(2)
const received: string[] = []
for (const signal of ['SIGUSR2', 'SIGHUP', 'SIGWINCH'] as const)
  process.on(signal, () => void received.push(signal))

const priorityBefore = os.getPriority()
const content = readFileSync(programFile)
const runner = processRunner(
  { content, digest: digestOf(content) },
  { cache: new ProgramCache(`${folder}/cache`), logger: silentLogger },
)
const session = await runner.open(
  { name: 'shop', namespace: 'default', uid: 'uid', workspace: 'default' },
  { pid: process.pid, folder },
  {} as ModuleCluster,
)
const metaData = new MetaData({ maxBytes: 65_536, store: async () => {} })
const none = new AbortController().signal
const context = { signal: none, logger: silentLogger, deadlineMs: 60_000, attempt: 1, operationId: 'one' }
await session.call('install', { ...context, reason: 'first', until: async () => {} }, metaData)
// A signal that arrives late counts too.
await new Promise((resolve) => setTimeout(resolve, 500))
const { kind } = await findBoundary()
const priority = os.getPriority() - priorityBefore
const own = { priority, inspector: inspector.url() ?? 'closed', received }
process.stdout.write(`\n${JSON.stringify({ kind, own, attempts: metaData.toJSON() })}\n`)
await runner.close()
process.exit()
