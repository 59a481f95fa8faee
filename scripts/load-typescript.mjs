// Lets a process import the TypeScript of this project:  node --import=./scripts/load-typescript.mjs FILE
// It replaces types by spaces, so that positions stay and no source map is read at each start, which was a third of the
// processor time of loading the SDK. Other files are left to Node, or to tsx.
// Packages that consist of many small modules are loaded as a few large ones.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import module, { createRequire, register } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const root = new URL('..', import.meta.url).href
const cache = fileURLToPath(new URL('../.tap/modules/', import.meta.url))
const require = createRequire(import.meta.url)
const { version } = require('esbuild/package.json')
/** Node 20 cannot remove types, so esbuild does. */
const strips = module.stripTypeScriptTypes !== undefined
/**
 * The packages with more than fifty modules: the module that an import of a name loads, and the path of its bundle. tap
 * leaves files of the folder @tapjs out of stack traces.
 */
const large = {
  rxjs: { entry: 'rxjs/dist/esm/index.js', bundle: 'rxjs/index' },
  tap: { entry: 'tap/dist/esm/index.js', bundle: '@tapjs/tap/index' },
  zod: { entry: 'zod/index.js', bundle: 'zod/index' },
  'zod/v4/core': { entry: 'zod/v4/core/index.js', bundle: 'zod/core' },
}
/** The module by which tap finds the test of an uncaught error. */
const domains = fileURLToPath(new URL('test-domains.mjs', import.meta.url))
/** The CommonJS modules in a bundle need it for the modules of Node. */
const declareRequire =
  "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url)"

if (module.registerHooks) {
  prepare()
  module.registerHooks({ resolve, load })
} else if (isMainThread) {
  // Node 20 runs hooks in a thread of their own, which costs every process half a second of processor time.
  prepare()
  register(import.meta.url)
}

function prepare() {
  mkdirSync(cache, { recursive: true })
  if (!strips) process.setSourceMapsEnabled(true)
  // Coverage is less precise for code from the compile cache.
  if (!process.env.NODE_V8_COVERAGE) module.enableCompileCache?.(`${cache}code`)
}

/** In a `.ts` file, an import of `./x.js` resolves to `./x.ts` if it exists. */
export function resolve(specifier, context, next) {
  if (Object.hasOwn(large, specifier) && context.parentURL?.startsWith(root))
    return { url: `${bundled()}/${large[specifier].bundle}.js`, format: 'module', shortCircuit: true }
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !isTypeScript(context.parentURL))
    return next(specifier, context)
  const url = new URL(specifier.replace(/js$/, 'ts'), context.parentURL)
  if (!existsSync(url)) return next(specifier, context)
  return { url: url.href, format: 'module', shortCircuit: true }
}

export function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context)
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true }
}

/** Whether a URL is a source of this project, and not a file of a project that a test wrote. */
function isTypeScript(url = '') {
  return url.startsWith(root) && /\.ts(\?|$)/.test(url) && !/\/(node_modules|\.tap)\//.test(url)
}

/** A file as JavaScript. The result is cached under the hash of the source. */
function compiled(path) {
  const source = readFileSync(path, 'utf8')
  const kept = `${cache}${hashOf([strips ? process.version : version, path, source])}.js`
  if (existsSync(kept)) return readFileSync(kept)
  const code = strips ? stripped(source, path) : transformed(source, path)
  // Several processes may compile the same file. The rename makes sure that each reads a complete one.
  writeFileSync(`${kept}.${process.pid}`, code)
  renameSync(`${kept}.${process.pid}`, kept)
  return code
}

/** Node warns once in each process that this is experimental, in the error stream that tests read. */
function stripped(source, path) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source, { mode: 'strip' })
  } catch {
    // esbuild names the place of a mistake.
    return transformed(source, path)
  } finally {
    process.emitWarning = emitWarning
  }
}

function transformed(source, path) {
  const options = { loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline', sourcefile: path }
  return require('esbuild').transformSync(source, options).code
}

const hashOf = (parts) => createHash('sha1').update(parts.join('\0')).digest('hex')

let bundles

/** The URL of the folder with the large packages, bundled. It is made once. */
function bundled() {
  bundles ??= pathToFileURL(join(bundleFolder(), 'node_modules')).href
  return bundles
}

function bundleFolder() {
  const packageFolder = fileURLToPath(new URL('node_modules', root))
  const entries = Object.values(large).map(({ entry, bundle }) => [bundle, join(packageFolder, entry)])
  const packages = new Set(Object.keys(large).map((name) => name.split('/')[0]))
  const manifests = [...packages].map((name) =>
    readFileSync(join(packageFolder, name, 'package.json'), 'utf8'),
  )
  const options = {
    alias: { 'async-hook-domain': domains },
    banner: { js: declareRequire },
    bundle: true,
    entryPoints: Object.fromEntries(entries),
    format: 'esm',
    platform: 'node',
    // Modules that several use, such as those of zod and its core, are shared.
    splitting: true,
    target: 'node20',
  }
  const kept = `${cache}${hashOf([version, JSON.stringify(options), readFileSync(domains), ...manifests])}`
  if (existsSync(kept)) return kept
  const made = `${kept}.${process.pid}`
  require('esbuild').buildSync({ ...options, outdir: join(made, 'node_modules') })
  publish(made, kept)
  return kept
}

/** Several processes may make the same folder. The rename makes sure that each reads a complete one. */
function publish(made, kept) {
  try {
    renameSync(made, kept)
  } catch (error) {
    if (!existsSync(kept)) throw error
    rmSync(made, { recursive: true })
  }
}
