import t from 'tap'
import { bundlePlugin } from './bundle-plugin.js'

void t.test('a missing main file is named as a file, and a missing folder as a folder', async (t) => {
  const refused = (entry: string, message: RegExp) =>
    t.rejects(bundlePlugin({ entry, outfile: 'none.mjs' }), { code: 'NO_PLUGIN', message })
  await refused(
    'src/gone.ts',
    /^there is no file src\/gone\.ts; pass the main file of a program, or its folder$/,
  )
  await refused('gone', /^there is no folder gone; pass the folder of a program$/)
})
