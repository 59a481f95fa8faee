import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { BuildOptions, Plugin, PluginBuild } from 'esbuild'
import { builtinsByRequire } from '../esbuild/builtins-by-require.js'

/** Options of {@link helmEngine}. */
export interface HelmEngineOptions {
  /** The folder of the parts of the bundle. */
  partsFolder: string
  /** The options of the code of the bundle. */
  code: Pick<BuildOptions, 'banner' | 'conditions' | 'format' | 'platform' | 'target'>
  /** Called if the program renders charts and the engine is missing. */
  onMissing: () => void
}

/** The path of the SDK's module with the URLs of the engine's files. */
const locatorModule = /[\\/]helm[\\/]render[\\/]engine[\\/]engine-files\.(js|ts)$/
/** The code of that module in a bundle, where the files are next to it. */
const bundledLocator = `export const engineFile = new URL('./helm.wasm.br', import.meta.url)
export const threadFile = new URL('./engine-thread.mjs', import.meta.url)
`

/**
 * The esbuild plugin that adds Helm's template engine to the bundle of a program that renders charts: the WebAssembly
 * file, licences, and the code of the thread that runs the engine. The SDK imports the locator by `import()`, so
 * esbuild writes the locator into the folder of parts, and the files of the engine go there too.
 */
export const helmEngine = (options: HelmEngineOptions): Plugin => ({
  name: 'helm-engine',
  setup(build) {
    let locator: string | undefined
    build.onLoad({ filter: locatorModule }, ({ path }) => {
      locator = path
      return { contents: bundledLocator }
    })
    build.onEnd(async ({ errors }) => {
      if (locator === undefined || errors.length > 0) return
      await addThread(build, locator, options)
      await addEngine(dirname(locator), options)
    })
  },
})

/** Bundles the code of the engine's thread as a file of its own. */
async function addThread(build: PluginBuild, locator: string, { partsFolder, code }: HelmEngineOptions) {
  await build.esbuild.build({
    ...code,
    entryPoints: [join(dirname(locator), `engine-thread${extname(locator)}`)],
    outfile: join(partsFolder, 'engine-thread.mjs'),
    bundle: true,
    logLevel: 'warning',
    plugins: [builtinsByRequire],
  })
}

const licences = 'helm.NOTICE.txt'

/** Copies the engine and its licences from the folder of the SDK, or reports that the engine was not built. */
async function addEngine(folder: string, { partsFolder, onMissing }: HelmEngineOptions): Promise<void> {
  const engine = join(folder, 'helm.wasm.br')
  if (!existsSync(engine)) return onMissing()
  await copyFile(engine, join(partsFolder, 'helm.wasm.br'))
  await copyFile(join(folder, licences), join(partsFolder, licences))
}
