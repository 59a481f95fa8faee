// The operations of a Module with a chart in git, each interrupted before and after each write, while the branch moves
// on.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { discoverKinds } from '../../engine/client/discover-kinds.js'
import { discoverApiVersions, discoverVersion } from '../../engine/client/discover-server.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { systemClock } from '../../engine/time/clock.js'
import { ReleaseStore } from '../../helm/release/release-store.js'
import { renderFunctionChart } from '../../helm/render/code/render-function-chart.js'
import { serveMemoryRepository } from '../git/memory-git.fixture.js'
import { modules } from '../kinds/module-kind.js'
import type { OperationContext, OperationKind } from '../manager/manager.js'
import { until } from '../manager/until.js'
import { MetaData } from '../metadata/metadata.js'
import { codeRenderer, find, helm, web } from './helm.fixture.js'
import { HelmModules } from './helm-modules.js'

t.setTimeout(600_000)
const apiServer = await createApiServer({ name: 'main' })
const transport = inProcessTransport(apiServer)
const client = createClient({ transport })
t.teardown(() => apiServer.close())
const cluster = {
  name: 'main',
  served: (apiVersion: string) => discoverKinds(transport, apiVersion),
  version: () => discoverVersion(transport),
  apiVersions: () => discoverApiVersions(transport),
}
const { signal } = new AbortController()
const writes = ['create', 'update', 'patch', 'delete']

/** Fails once: before its n-th write, or after it. */
class Crash {
  seen = 0
  readonly #n: number
  readonly #when: 'before' | 'after'

  constructor(n: number, when: 'before' | 'after') {
    this.#n = n
    this.#when = when
  }

  async around<T>(write: () => Promise<T>): Promise<T> {
    const isNow = ++this.seen === this.#n
    if (isNow && this.#when === 'before') throw new Error('the operator was killed')
    const result = await write()
    if (isNow) throw new Error('the operator was killed')
    return result
  }

  client(): Client {
    const get = (target: Client, name: string) => {
      const method = (Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>).bind(target)
      return writes.includes(name) ? (...args: unknown[]) => this.around(() => method(...args)) : method
    }
    return new Proxy(client, { get: get as never })
  }
}

const contextOf = (operationId: string, attempt: number): OperationContext => ({
  signal,
  operationId,
  attempt,
  deadlineMs: 60_000,
  reason: 'first',
  logger: silentLogger,
  until: (condition, options) => until(condition, options, { clock: systemClock, signal }),
})

void t.test('a crash at any write has the same end, with the commit of the first one', async (t) => {
  const repository = await serveMemoryRepository(t)
  const move = (version: number) =>
    repository.commit('Chart.yaml', `apiVersion: v2\nname: web\nversion: ${version}.0.0\n`)
  let version = 1
  move(version)
  const renderer: typeof codeRenderer = {
    ...codeRenderer,
    render: (request) => renderFunctionChart({ ...web, metadata: request.chart.metadata }, request),
  }
  const helmModules = new HelmModules({ ...helm, renderer, charts: { allow: [`${repository.origin}/`] } })
  const git = { repo: repository.url, auth: {} }

  const run = async (n: number, when: 'before' | 'after') => {
    const crash = new Crash(n, when)
    const uid = `uid-${n}-${when}`
    const home = crash.client()
    let stored = '{}'
    const specOf = (text: string) => ({
      chart: { git },
      releaseName: 'web',
      values: [{ raw: { only: ['ConfigMap', 'Deployment'], text } }],
    })
    const versions: string[] = []
    const call = async (operation: OperationKind, text: string) => {
      for (let attempt = 1; ; attempt++) {
        // A process that was killed leaves what it has stored, and nothing else.
        const store = (values: unknown) =>
          crash.around(async () => {
            stored = JSON.stringify(values)
          })
        const metaData = new MetaData({ maxBytes: 65_536, store })
        metaData.parse(stored)
        const session = helmModules.open({
          spec: specOf(text),
          values: {},
          home,
          cluster,
          client: home,
          owner: { cluster: 'main', resource: modules, key: { namespace: 'default', name: 'shop' }, uid },
          ctx: { clock: systemClock, events: { normal: () => {}, warning: () => {} } },
        })
        try {
          await session.call(operation, contextOf(`${uid}-${operation}`, attempt), metaData)
          await metaData.save()
          return
        } catch (error) {
          if (attempt > 2 || !(error as Error).message.includes('was killed')) throw error
          move(++version)
        }
      }
    }
    for (const [operation, text] of [
      ['install', 'one'],
      ['upgrade', 'two'],
      ['sleep', 'two'],
      ['resume', 'two'],
    ] as const) {
      await call(operation, text)
      const revisions = await new ReleaseStore(client, Date.now).revisions('default', 'web')
      versions.push(...revisions.map(({ release }) => String(release.chart.metadata.version)))
      move(++version)
    }
    t.match(await find(client, configMaps), { data: { text: 'two' } })
    t.equal(new Set(versions).size, 1, `one commit after a crash ${when} write ${n}: ${versions}`)
    await call('uninstall', 'two')
    t.notOk(await find(client, configMaps))
    t.strictSame(await new ReleaseStore(client, Date.now).revisions('default', 'web'), [])
    return crash.seen
  }
  const count = await run(0, 'before')
  for (let n = 1; n <= count; n++) for (const when of ['before', 'after'] as const) await run(n, when)
  t.ok(count > 15, `${count} writes`)
  t.comment(`${count} writes`)
})
