// Tests of the compile cache of a bundle, on modules that are written by hand.
import { readdirSync } from 'node:fs'
import nodeModule from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileCacheOf, writeCompileCache } from './compile-cache.js'

/** Node 22 and later. */
const hasCompileCache = 'enableCompileCache' in nodeModule
const uid = process.getuid?.() ?? 0

/** A bundle with one part. */
function bundleWith(t: Test, part: string): string {
  const main = "import 'node:fs'\nprocess.exit(1)\n"
  return join(t.testdir({ 'main.mjs': main, parts: { main: { 'part.mjs': part } } }), 'main.mjs')
}

void t.test('a part whose package is not installed is left out, and nothing runs', async (t) => {
  const outfile = bundleWith(t, "export * from 'a-package-that-is-not-installed'\n")
  t.equal(await writeCompileCache({ outfile, uid }), hasCompileCache)
  if (!hasCompileCache) return
  const cache = compileCacheOf(outfile)
  const [folder = ''] = readdirSync(cache)
  t.not(readdirSync(join(cache, folder)).length, 0)
})

void t.test('the error names the bundle and the mistake, and says what to do', async (t) => {
  const outfile = bundleWith(t, 'let let = 1\n')
  await t.rejects(writeCompileCache({ outfile, uid }), {
    code: 'BUNDLE_FAILED',
    message:
      /^the compile cache of .*main\.mjs was not written: SyntaxError: .*; correct the module, or leave out/,
  })
})
