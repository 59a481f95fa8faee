import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startEmbeddedVCluster } from './embedded-vcluster.js'

void t.test('no program is left of a vcluster whose plugin does not let it lead', async (t) => {
  const programs = [fileURLToPath(new URL('no-leader.fixture.ts', import.meta.url))]
  await t.rejects(startEmbeddedVCluster({ programs }), { message: /the method failed/ })
  t.notOk(process.getActiveResourcesInfo().includes('ProcessWrap'), 'no child process runs')
  t.notOk(process.getActiveResourcesInfo().includes('TCPServerWrap'), 'no server listens')
})

void t.test('the first failure is thrown even if stopping fails, too', async (t) => {
  const folder = t.testdir({})
  const { TMPDIR = '/tmp' } = process.env
  t.teardown(() => {
    process.env.TMPDIR = TMPDIR
  })
  process.env.TMPDIR = folder
  const before = async () => {
    await rm(folder, { recursive: true })
    throw new Error('no objects')
  }
  await t.rejects(startEmbeddedVCluster({ programs: [], before }), { message: 'no objects' })
})
