import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { claimFolder, claimState, socketOf } from './claim-folder.js'

void t.test(
  'a second dev in one folder gets a folder of its own, and the place of one that ended is free',
  async (t) => {
    const dir = t.testdir()
    const first = await claimFolder(dir)
    const second = await claimFolder(dir)
    t.strictSame([first.dir, second.dir], [dir, join(dir, '2')])
    await first.release()
    const third = await claimFolder(`${dir}/.`)
    t.equal(third.dir, `${dir}/.`, 'the same folder by another name')
    await Promise.all([second.release(), third.release()])
  },
)

void t.test('two runs of dev do not keep their objects in one folder', async (t) => {
  const dir = t.testdir()
  const first = await claimState(dir)
  await t.rejects(claimState(dir), {
    code: 'CANNOT_LISTEN',
    message: /^another dev keeps its objects in .*--state$/,
  })
  await first.release()
})

void t.test('a folder whose dev was killed is taken over', async (t) => {
  const dir = t.testdir()
  const path = socketOf(dir)
  const killed = createServer().listen(path)
  await once(killed, 'listening')
  await rename(path, `${path}.kept`)
  await new Promise((resolve) => killed.close(resolve))
  await rename(`${path}.kept`, path)
  const next = await claimFolder(dir)
  t.equal(next.dir, dir)
  await next.release()
})
