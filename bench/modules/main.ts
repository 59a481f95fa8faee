/**
 * Measures the processes of programs of Modules: start-up, memory, calls, and many Modules of one program, next to the
 * same program within this process. Requests in the cluster are answered at once, so the figures are those of the
 * isolation.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { cpuMs, residentMiB } from '../../cli/bench/process-usage.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { inlineRunner } from '../../sdk/modules/manager/inline-runner.js'
import type { OperationContext } from '../../sdk/modules/manager/manager.js'
import type { ModuleCluster } from '../../sdk/modules/manager/module-cluster.js'
import type { Program } from '../../sdk/modules/manager/program.js'
import type { ManagerSession, ProgramRunner } from '../../sdk/modules/manager/program-runner.js'
import { MetaData } from '../../sdk/modules/metadata/metadata.js'
import { processRunner } from '../../sdk/modules/process/process-runner.js'
import { digestOf } from '../../sdk/modules/program/digest.js'
import { ProgramCache } from '../../sdk/modules/program/program-cache.js'
import { median } from '../figures.js'

const { values } = parseArgs({
  options: {
    modules: { type: 'string', default: '500' },
    starts: { type: 'string', default: '10' },
    calls: { type: 'string', default: '20000' },
  },
})
const modules = Number(values.modules)
const file = new URL('program.mjs', import.meta.url)
const content = readFileSync(file)
const folder = mkdtempSync(join(tmpdir(), 'bench-modules-'))
const options = { cache: new ProgramCache(folder), logger: silentLogger }
const cluster = { apply: async (objects: readonly unknown[]) => objects } as unknown as ModuleCluster
const newRunner = () => processRunner({ content, digest: digestOf(content) }, options)

try {
  await measureStarts()
  await measureModules('a process', newRunner())
  const { newManager } = (await import(file.href)) as Pick<Program, 'newManager'>
  const program = { name: 'bench', version: '1.0.0', sdk: '*', newManager }
  await measureModules('this process', inlineRunner(program, { logger: silentLogger }))
} finally {
  rmSync(folder, { recursive: true })
}

/** From nothing to a manager, and the memory of its process. */
async function measureStarts(): Promise<void> {
  const [startsMs, residents, cpusMs]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < Number(values.starts); run++) {
    const runner = newRunner()
    const beginMs = performance.now()
    const session = await open(runner, 0)
    startsMs.push(performance.now() - beginMs)
    const pid = await pidOf(session)
    residents.push(residentMiB(pid))
    cpusMs.push(cpuMs(pid))
    await runner.close()
  }
  console.log(
    `start: ${median(startsMs)?.toFixed(0)} ms, with ${median(cpusMs)} ms of processor time of the process; ` +
      `${median(residents)?.toFixed(0)} MiB in it`,
  )
}

async function measureModules(where: string, runner: ProgramRunner): Promise<void> {
  const ownMiB = residentMiB(process.pid)
  const [beginMs, own] = [performance.now(), process.cpuUsage()]
  const sessions = await Promise.all(Array.from({ length: modules }, (_, at) => open(runner, at)))
  const openedMs = performance.now()
  await Promise.all(sessions.map((session) => session.call('install', context(), newMetaData())))
  const installedMs = performance.now()
  const { user, system } = process.cpuUsage(own)
  const pids = new Set(await Promise.all(sessions.map(pidOf)))
  const [pid = 0] = pids
  const isOwn = pid === process.pid
  const memory = `${isOwn ? '' : `${residentMiB(pid).toFixed(0)} MiB in it, `}${(residentMiB(process.pid) - ownMiB).toFixed(0)} MiB more in the operator`
  const cpu = `${isOwn ? '' : `${cpuMs(pid)} ms of processor time in it, `}${Math.round((user + system) / 1_000)} ms in the operator`
  console.log(
    `${modules} Modules in ${where}: opened in ${(openedMs - beginMs).toFixed(0)} ms, installed in ` +
      `${(installedMs - openedMs).toFixed(0)} ms; ${pids.size} process, ${memory}; ${cpu}`,
  )
  await measureCalls(where, sessions[0])
  await runner.close()
}

async function measureCalls(where: string, session: ManagerSession | undefined): Promise<void> {
  if (!session) return
  const calls = Number(values.calls)
  const [metaData, ctx, beginMs] = [newMetaData(), context(), performance.now()]
  for (let call = 0; call < calls; call++) await session.call('check', ctx, metaData)
  const perSecond = calls / ((performance.now() - beginMs) / 1_000)
  console.log(`calls in ${where}, one after the other: ${perSecond.toFixed(0)} a second`)
}

async function pidOf(session: ManagerSession): Promise<number> {
  const metaData = newMetaData()
  await session.call('resume', context(), metaData)
  return Number(metaData.get('pid'))
}

function open(runner: ProgramRunner, at: number): Promise<ManagerSession> {
  const module = {
    name: `module-${at}`,
    namespace: 'default',
    uid: `uid-${at}`,
    workspace: 'default/default',
  }
  return runner.open(module, { app: 'web' }, cluster)
}

function newMetaData(): MetaData {
  return new MetaData({ maxBytes: 65_536, store: async () => {} })
}

function context(): OperationContext {
  return {
    signal: new AbortController().signal,
    logger: silentLogger,
    deadlineMs: 300_000,
    attempt: 1,
    operationId: 'operation',
    reason: 'first',
    until: async () => {},
  }
}
