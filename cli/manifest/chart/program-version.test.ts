import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { programVersion } from './program-version.js'

void t.test('a chart has the version of package.json, and 0.1.0 without one', async (t) => {
  const folder = t.testdir({})
  t.equal(await programVersion(folder), '0.1.0')
  const file = join(folder, 'package.json')
  for (const [text, version] of [
    ['{"version":"2.3.4"}', '2.3.4'],
    ['{"version":7}', '0.1.0'],
    ['null', '0.1.0'],
  ] as const) {
    await writeFile(file, text)
    t.equal(await programVersion(folder), version, text)
  }
  await writeFile(file, '{"version": "1.0.0",}')
  await t.rejects(programVersion(folder), {
    code: 'NO_PLUGIN',
    message: /package\.json is not JSON: .*Correct it/,
  })
})
