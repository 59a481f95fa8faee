import t from 'tap'
import { withRelativePaths } from './relative-paths.js'

void t.test('paths in a folder become relative, and nothing else does', async (t) => {
  t.equal(withRelativePaths("'/app/src/a.ts' imports /app/b.ts", '/app'), "'src/a.ts' imports b.ts")
  for (const text of ['/srv/app/main.ts', 'https://host/app/x', './app/x', '/app', '/apps/x'])
    t.equal(withRelativePaths(text, '/app'), text)
  t.equal(withRelativePaths('no answer from https://db', '/'), 'no answer from https://db')
  t.equal(withRelativePaths('/a+b/c', '/a+b'), 'c')
})
