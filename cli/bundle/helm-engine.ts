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

/** The module of the SDK that says where the files of the engine are. */
const locatorModule = /[\\/]helm[\\/]render[\\/]engine[\\/]engine-files\.(js|ts)$/
const contents = `export const engineFile = new URL('./helm.wasm.br', import.meta.url)
export const threadFile = new URL('./engine-thread.mjs', import.meta.url)
`

/**
 * Adds Helm's template engine to the bundle of a program that renders charts: the file, the licences of its parts, and
 * the code of the thread that runs it. They are next to the part that locates them, which is a part of its own because
 * it is imported by `import()`.
 */
export const helmEngine = (options: HelmEngineOptions): Plugin => ({
  name: 'helm-engine',
  setup(build) {
    let module: string | undefined
    build.onLoad({ filter: locatorModule }, ({ path }) => {
      module = path
      return { contents }
    })
    build.onEnd(async ({ errors }) => {
      if (module === undefined || errors.length > 0) return
      await addThread(build, module, options)
      await addEngine(dirname(module), options)
    })
  },
})

async function addThread(build: PluginBuild, module: string, { partsFolder, code }: HelmEngineOptions) {
  await build.esbuild.build({
    ...code,
    entryPoints: [join(dirname(module), `engine-thread${extname(module)}`)],
    outfile: join(partsFolder, 'engine-thread.mjs'),
    bundle: true,
    logLevel: 'warning',
    plugins: [builtinsByRequire],
  })
}

const licences = 'helm.NOTICE.txt'

async function addEngine(folder: string, { partsFolder, onMissing }: HelmEngineOptions): Promise<void> {
  const engine = join(folder, 'helm.wasm.br')
  if (!existsSync(engine)) return onMissing()
  await copyFile(engine, join(partsFolder, 'helm.wasm.br'))
  await copyFile(join(folder, licences), join(partsFolder, licences))
}
