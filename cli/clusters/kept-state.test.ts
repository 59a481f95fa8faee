import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { until } from '../../test/until.js'
import { keepState } from './kept-state.js'

const configMaps = '/api/v1/namespaces/default/configmaps'

async function startServer(t: Test) {
  const server = await createApiServer()
  t.teardown(() => server.close())
  return server
}

const body = (name: string) => JSON.stringify({ metadata: { name } })

void t.test('the objects of a cluster are there in the next one, readable only by their owner', async (t) => {
  const folder = join(t.testdir(), 'a/state')
  const first = await startServer(t)
  const kept = await keepState(first, folder, 'host')
  await first.handle({ method: 'POST', path: configMaps, body: body('one') })
  await kept.close()
  t.equal((await stat(join(folder, 'host.jsonl'))).mode & 0o777, 0o600)

  const second = await startServer(t)
  const keptAgain = await keepState(second, folder, 'host')
  t.equal(second.resourceVersion, first.resourceVersion)
  t.equal((await second.handle({ method: 'GET', path: `${configMaps}/one` })).status, 200)
  await keptAgain.close()
})

void t.test('changes are written without a stop', async (t) => {
  const folder = t.testdir()
  const server = await startServer(t)
  const kept = await keepState(server, folder, 'main')
  await server.handle({ method: 'POST', path: configMaps, body: body('soon') })
  const read = () => readFile(join(folder, 'main.jsonl'), 'utf8').catch(() => '')
  await until(async () => (await read()).includes('"default/soon"'))
  await kept.close()
})

void t.test('a damaged file is refused and stays as it is', async (t) => {
  const folder = t.testdir({ 'main.jsonl': 'damaged\n' })
  const server = await startServer(t)
  await t.rejects(keepState(server, folder, 'main'), {
    code: 'INVALID_STATE',
    message: /main\.jsonl: line 1: .*; remove the file to begin with an empty cluster, or choose another/,
  })
  t.equal(await readFile(join(folder, 'main.jsonl'), 'utf8'), 'damaged\n')
})

void t.test('a folder that cannot be written is an error at the start, and at the stop', async (t) => {
  const folder = t.testdir({ file: '' })
  const server = await startServer(t)
  await t.rejects(keepState(server, join(folder, 'file/state'), 'main'), { code: 'CANNOT_WRITE' })
  const kept = await keepState(server, join(folder, 'state'), 'main')
  await rm(join(folder, 'state'), { recursive: true })
  await t.rejects(kept.close(), { code: 'CANNOT_WRITE', message: /choose another folder with --state$/ })
})
