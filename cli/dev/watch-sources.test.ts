import { watch } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { watchSources } from './watch-sources.js'

void t.test(
  'a burst of changes in sources is reported once; tests, packages and other files are ignored',
  async (t) => {
    const dir = t.testdir({
      'a.ts': '',
      'a.test.ts': '',
      'notes.md': '',
      node_modules: { x: { 'i.js': '' } },
      sub: {},
    })
    const clock = new VirtualClock()
    const stop = new AbortController()
    const told: string[] = []
    await watchSources({
      roots: [dir],
      signal: stop.signal,
      clock,
      onChange: (file) => told.push(file),
      onUnwatched: (problem) => t.fail(problem),
    })

    for (const file of ['node_modules/x/i.js', 'notes.md', 'a.test.ts', 'sub/b.ts', 'a.ts'])
      await writeFile(join(dir, file), '1')
    await eventsRead()
    await clock.advance(80)
    t.strictSame(told, [join(dir, 'sub/b.ts')])

    await rm(join(dir, 'a.ts'))
    await eventsRead()
    await clock.advance(80)
    t.strictSame(told.slice(1), [join(dir, 'a.ts')])
    stop.abort()
  },
)

void t.test(
  'folders that the system does not watch are named with the limit, and ignored if deleted',
  async (t) => {
    const dir = t.testdir({ full: {}, many: {}, deleted: {}, good: {} })
    const codes = new Map([
      [join(dir, 'full'), 'ENOSPC'],
      [join(dir, 'many'), 'EMFILE'],
      [join(dir, 'deleted'), 'ENOENT'],
    ])
    const watchFolder = (folder: string, onChange: (type: string, name: string | null) => void) => {
      const code = codes.get(folder)
      if (code !== undefined) throw Object.assign(new Error(`${code}: refused`), { code, syscall: 'watch' })
      return watch(folder, onChange)
    }
    const clock = new VirtualClock()
    const stop = new AbortController()
    const changed: string[] = []
    const problems: string[] = []
    await watchSources({
      roots: [dir],
      signal: stop.signal,
      clock,
      watchFolder,
      onChange: (file) => changed.push(file),
      onUnwatched: (problem) => problems.push(problem),
    })
    const advice =
      'on Linux raise fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl, and start dev again'
    t.strictSame(problems.sort(), [
      `changes in ${join(dir, 'full')} are not noticed (ENOSPC: refused); ${advice}`,
      `changes in ${join(dir, 'many')} are not noticed (EMFILE: refused); ${advice}`,
    ])
    await writeFile(join(dir, 'good', 'a.ts'), '')
    await eventsRead()
    await clock.advance(80)
    t.strictSame(changed, [join(dir, 'good', 'a.ts')], 'the other folders are watched')
    stop.abort()
  },
)

/**
 * The kernel has the events as soon as the change is made. Reading them takes a few turns of the event loop.
 */
async function eventsRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
