// Tests that the generated code of processes is that of its sources.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'

void t.test('the generated module is up to date; else run npm run module-child', async (t) => {
  const root = new URL('../../../', import.meta.url)
  const made = execFileSync(process.execPath, ['scripts/module-child.mjs', '--print', 'child'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.equal(made, readFileSync(new URL('gen/child-code.ts', import.meta.url), 'utf8'))
})
