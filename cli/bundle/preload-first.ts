import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/** The import specifier of the SDK's module that prepares the process. */
export const preloadSpecifier = 'vcluster-plugin-sdk/preload'

/**
 * The path of the preload in the bundle with this name, relative to the file that Node runs, without file extension.
 */
export const preloadPart = (name: string) => `parts/${name}/preload`

/**
 * Resolves the preload as an entry point from the program's folder, so that the preload and the program share one copy
 * of the SDK and with it the state of the preload. A program that does not have the SDK gets an empty module.
 */
export const preloadFor = (program: string): Plugin => ({
  name: 'preload',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${preloadSpecifier}$`) }, async ({ path, kind }) => {
      if (kind !== 'entry-point') return
      const resolveDir = dirname(program)
      const { errors, ...resolution } = await build.resolve(path, { resolveDir, kind: 'import-statement' })
      return errors.length === 0 ? resolution : { path, namespace: emptyModule }
    })
    build.onLoad({ filter: /^/, namespace: emptyModule }, () => ({ contents: '' }))
  },
})
const emptyModule = 'no-preload'

/**
 * Makes the preload the first import of a bundle, and returns its path. esbuild cannot do that: it does not keep the
 * order of imports where modules are shared between parts (https://github.com/evanw/esbuild/issues/399).
 */
export async function importFirst(outfile: string): Promise<string> {
  const preloadFile = `${preloadPart(basename(outfile, '.mjs'))}.mjs`
  const text = await readFile(outfile, 'utf8')
  // A line such as `#!/usr/bin/env node` must stay the first one.
  await writeFile(outfile, text.replace(/^(#!.*\n)?/, `$1import "./${preloadFile}";\n`))
  return join(dirname(outfile), preloadFile)
}
