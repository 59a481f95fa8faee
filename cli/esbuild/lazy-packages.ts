import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildOptions, Loader, Plugin } from 'esbuild'

/** The module of the SDK that loads packages at their first use, by a `require` that esbuild does not see. */
const lazyModule = /[\\/]kube[\\/]lazy-packages\.(js|ts)$/
const createPattern = /^const load = createRequire\(import\.meta\.url\);?$/m
const loadPattern = /\bload\(['"]([^'"]+)['"]\)/g

/** Puts the packages into the one file that is built, each of which runs at its first use. */
export const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup(build) {
    build.onLoad({ filter: lazyModule }, async ({ path }) => {
      const source = await sourceOf(path)
      // esbuild resolves a `require` that is not a variable of the module.
      return {
        contents: source.replace(createPattern, '').replace(loadPattern, "require('$1')"),
        loader: loaderOf(path),
        resolveDir: dirname(path),
      }
    })
  },
}

/** Options of {@link lazyPackageFiles}. */
export interface LazyPackageFilesOptions {
  /** The folder of the parts of the bundle. */
  partsFolder: string
  /** The path of that folder relative to the file that Node runs, with `/`. */
  partsPath: string
  /** The options of the code of the bundle. */
  code: Required<Pick<BuildOptions, 'conditions' | 'platform' | 'target'>>
}

/** Writes each package to a file of its own among the parts, which Node reads at the first use of the package. */
export const lazyPackageFiles = ({ partsFolder, partsPath, code }: LazyPackageFilesOptions): Plugin => ({
  name: 'lazy-package-files',
  setup(build) {
    let module: { path: string; packages: string[] } | undefined
    build.onLoad({ filter: lazyModule }, async ({ path }) => {
      const source = await sourceOf(path)
      module = { path, packages: Array.from(source.matchAll(loadPattern), ([, name = '']) => name) }
      const replaced = source
        .replace(createPattern, loader(partsPath))
        .replace(loadPattern, (_, name) => `load('${fileOf(name)}')`)
      const contents = `import { existsSync } from 'node:fs'\n${replaced}`
      return { contents, loader: loaderOf(path), resolveDir: dirname(path) }
    })
    build.onEnd(async ({ errors, metafile }) => {
      if (module === undefined || errors.length > 0) return
      for (const name of await usedOf(module.packages, Object.keys(metafile?.outputs ?? {})))
        await build.esbuild.build({
          conditions: code.conditions,
          platform: code.platform,
          target: code.target,
          stdin: { contents: `module.exports = require('${name}')`, resolveDir: dirname(module.path) },
          outfile: join(partsFolder, fileOf(name)),
          format: 'cjs',
          bundle: true,
          legalComments: 'external',
          logLevel: 'warning',
        })
    })
  },
})

/** The packages that the written code still names: esbuild leaves out functions that nothing calls. */
async function usedOf(packages: readonly string[], outputs: readonly string[]): Promise<string[]> {
  const modules = outputs.filter((path) => path.endsWith('.mjs'))
  const texts = await Promise.all(modules.map((path) => readFile(path, 'utf8')))
  return packages.filter((name) => texts.some((text) => text.includes(fileOf(name))))
}

const fileOf = (name: string) => `package-${name.replaceAll(/[^\w-]+/g, '-').replace(/^-/, '')}.cjs`

/**
 * The code of `load` in a bundle. It may be in the file that Node runs, or in a part, next to which the packages are.
 */
const loader = (partsPath: string) => `const here = createRequire(import.meta.url)
const folder = existsSync(new URL('./${partsPath}/', import.meta.url)) ? './${partsPath}/' : './'
const load = (file) => here(folder + file)
`

const loaderOf = (path: string): Loader => (path.endsWith('.ts') ? 'ts' : 'js')

/** Throws if the module is another than this plugin was written for, because the bundle would lack the packages. */
async function sourceOf(path: string): Promise<string> {
  const source = await readFile(path, 'utf8')
  if (createPattern.test(source)) return source
  throw new Error(`${path} does not create its function load as expected`)
}
