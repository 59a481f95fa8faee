import t from 'tap'
import { copyRuntime } from './copy-runtime.js'

void t.test('a folder without a bundle is refused with the command that makes one', async (t) => {
  const dir = t.testdir({})
  await t.rejects(copyRuntime(dir), {
    code: 'NO_BUNDLE',
    message: `${dir} has no main.mjs; run this first: vcluster-plugin bundle . ${dir}/main.mjs`,
  })
})
