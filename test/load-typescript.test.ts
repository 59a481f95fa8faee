// Tests the loader of the tests and of the programs that run from the sources of a clone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './dev-run.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'

const program = `import { until } from './test/until.ts'
await until(() => false, { withinMs: 0 }).catch((error) => console.log(error.stack))
console.log(process.sourceMapsEnabled)`

void t.test(
  'errors have the positions of the sources, without source maps where Node removes types',
  async (t) => {
    const lines = readFileSync(join(root, 'test/until.ts'), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('throw new Error'))
    const column = (lines[line] ?? '').indexOf('new Error')
    const said = await run(root, [process.execPath, loadTypeScript, '--input-type=module', '--eval', program])
    t.match(said, `test/until.ts:${line + 1}:${column + 1})`)
    if ('stripTypeScriptTypes' in process.getBuiltinModule('node:module')) t.match(said, /^false$/m)
  },
)
