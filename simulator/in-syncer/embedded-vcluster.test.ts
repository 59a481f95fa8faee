import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startEmbeddedVCluster } from './embedded-vcluster.js'

void t.test('no program is left of a vcluster whose plugin does not let it lead', async (t) => {
  const programs = [fileURLToPath(new URL('no-leader.fixture.ts', import.meta.url))]
  await t.rejects(startEmbeddedVCluster({ programs }), { message: /the method failed/ })
  t.notOk(process.getActiveResourcesInfo().includes('ProcessWrap'), 'no child process runs')
  t.notOk(process.getActiveResourcesInfo().includes('TCPServerWrap'), 'no server listens')
})
