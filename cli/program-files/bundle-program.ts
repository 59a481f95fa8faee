import { dirname } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { builtinsByRequire } from '../esbuild/builtins-by-require.js'
import { clientNodeModules } from '../esbuild/client-node-modules.js'
import { code } from '../esbuild/code-options.js'
import { lazyPackages } from '../esbuild/lazy-packages.js'
import { loadEsbuild } from '../esbuild/load-esbuild.js'
import { sdkModules } from '../esbuild/sdk-modules.js'

/**
 * Bundles a program and all its imports into one ES module. Throws `PluginError` `NO_ESBUILD`, or `BUNDLE_FAILED` after
 * esbuild has printed its errors.
 */
export async function bundleProgram(file: string): Promise<Buffer> {
  const { build } = loadEsbuild(file)
  const { outputFiles } = await build({
    ...code,
    // Names of files in comments are relative to it, so the digest does not depend on where the command runs.
    absWorkingDir: dirname(file),
    entryPoints: [file],
    bundle: true,
    write: false,
    legalComments: 'eof',
    logLevel: 'warning',
    plugins: [sdkModules, builtinsByRequire, clientNodeModules, lazyPackages],
  }).catch((cause: unknown) => {
    throw new PluginError('BUNDLE_FAILED', `cannot bundle ${file}; see the errors of esbuild above`, {
      cause,
    })
  })
  return Buffer.from(outputFiles[0]?.contents ?? [])
}
