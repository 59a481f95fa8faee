import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { silentLogger } from '../observe/logger.js'
import { systemClock } from '../time/clock.js'
import { followTexts } from './follow-texts.js'

/** Looks at the files a number of times, and returns what was served and what was logged. */
async function looks(files: string[], times: number, served?: readonly string[]) {
  const stop = new AbortController()
  const used: string[] = []
  const warnings: string[] = []
  let at = 0
  const schedule = (_ms: number, callback: () => void) => {
    queueMicrotask(() => (++at < times ? callback() : stop.abort()))
    return () => {}
  }
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) }
  const use = (texts: readonly string[]) => void used.push(texts.join(' '))
  const clock = { ...systemClock, schedule }
  await followTexts({ files, use, logger, clock, signal: stop.signal, ...(served && { served }) })
  return { used, warnings }
}

void t.test(
  'files that changed after they were read at the start are served at the first look',
  async (t) => {
    const folder = t.testdir({ a: 'new', b: 'key' })
    const files = ['a', 'b'].map((name) => join(folder, name))
    t.same(await looks(files, 3, ['old', 'key']), { used: ['new key'], warnings: [] })
    t.same(await looks(files, 3, ['new', 'key']), { used: [], warnings: [] })
  },
)

void t.test('a reason why files cannot be served is logged once', async (t) => {
  const folder = t.testdir({ a: 'text' })
  const files = ['a', 'b'].map((name) => join(folder, name))
  t.same(await looks(files, 3), {
    used: [],
    warnings: ['the certificate files cannot be used; trying again'],
  })
  writeFileSync(join(folder, 'b'), 'key')
  t.same((await looks(files, 3)).used, ['text key'])
})
