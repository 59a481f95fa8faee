import { execFileSync } from 'node:child_process'
import t from 'tap'
import { prettyLine } from './pretty-log.js'

const line = (fields: object) => prettyLine(JSON.stringify({ level: 40, time: 0, ...fields }))

void t.test('a line has the time, the level, the message and the fields', async (t) => {
  const shown = line({ msg: 'trying again', key: 'default/a', error: { message: 'no route' }, retryInMs: 5 })
  t.equal(shown, '1970-01-01T00:00:00.000Z WARN  trying again  key=default/a error="no route" retryInMs=5\n')
})

void t.test('no text can begin a line or change the terminal', async (t) => {
  const shown = line({ msg: 'a\n1970 ERROR forged', key: 'x\u001b[2J', list: ['\u0085'], name: 'b c\u2028d' })
  t.equal(shown.split('\n').length, 2)
  t.notMatch(shown.trimEnd(), /\p{Cc}|\u2028/u)
  t.match(shown, 'a\\n1970 ERROR forged  key=x\\u001b[2J')
})

void t.test('the stack of an error is indented below its line', async (t) => {
  const stack = 'Error: x\n    at f (a.ts:1:2)'
  t.match(line({ msg: 'failed', error: { message: 'x', stack } }), '\n    Error: x\n    at f (a.ts:1:2)\n')
})

void t.test('LOG_FORMAT selects the format, and a wrong word does not end the program', async (t) => {
  const logger = JSON.stringify(import.meta.resolve('./create-logger.ts'))
  const program = `const { createLogger } = await import(${logger}); createLogger(process.env).info({ key: 'a' }, 'hello')`
  const loader = new URL('../../../scripts/load-typescript.mjs', import.meta.url).href
  const run = (format: string) => {
    const args = [`--import=${loader}`, '--input-type=module', '--eval', program]
    return execFileSync(process.execPath, args, { encoding: 'utf8', env: { LOG_FORMAT: format } })
  }
  t.match(run('pretty'), /^\d{4}-\S+Z INFO {2}hello {2}key=a\n$/)
  t.match(JSON.parse(run('JSON')), { msg: 'hello', key: 'a' })
  t.match(run('text'), 'LOG_FORMAT is none of json, pretty; taking json')
})
