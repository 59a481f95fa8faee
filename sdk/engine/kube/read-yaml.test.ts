import t from 'tap'
import { readYaml } from './read-yaml.js'

void t.test('YAML of others is read in time that is linear in its length', async (t) => {
  t.strictSame(await readYaml('a: 1\nb: [x, 1.20]\n'), { a: 1, b: ['x', 1.2] })
  // Each of these took between half a minute and some hours.
  const keys = Array.from({ length: 30_000 }, (_, at) => `k${at}: 1`).join(',')
  t.equal(Object.keys((await readYaml(`{${keys}}`)) as object).length, 30_000)
  await t.rejects(readYaml(`a: 1\n${'&a '.repeat(80_000)}`), { name: 'SyntaxError', message: /at line 2$/ })
  const level = (at: number) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]\n`
  const levels = Array.from({ length: 12 }, (_, at) => level(at)).join('')
  await t.rejects(readYaml(`a0: &a0 [1]\n${levels}`), { name: 'SyntaxError', message: /Excessive alias/ })
})
