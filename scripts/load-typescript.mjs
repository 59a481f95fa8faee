// Lets a process import the TypeScript of this project:  node --import=./scripts/load-typescript.mjs FILE
// It replaces types by spaces, so that positions stay and no source map is read at each start, which was a third of the
// processor time of loading the SDK. Other files are left to Node, or to tsx.
// Packages that consist of many small modules are loaded as a few large ones.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
/** An import of one function of lodash, which consists of many modules that each load others. */
const lodashFunction = /^lodash\/(?!core|fp|lodash)([a-zA-Z]+\.js)$/
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

/** In a `.ts` file, an import of `./x.js`, with a query too, resolves to `./x.ts` if it exists. */
export function resolve(specifier, context, next) {
  if (Object.hasOwn(large, specifier) && context.parentURL?.startsWith(root))
    return { url: `${bundled()}/${large[specifier].bundle}.js`, format: 'module', shortCircuit: true }
  if (!isTypeScript(context.parentURL)) return next(specifier, context)
  const [, name] = lodashFunction.exec(specifier) ?? []
  if (name !== undefined) return { url: `${bundled()}/lodash/${name}`, format: 'module', shortCircuit: true }
  if (!/^\.{1,2}\/.*\.js(\?|$)/.test(specifier)) return next(specifier, context)
  const { href } = new URL(specifier.replace(/js(?=\?|$)/, 'ts'), context.parentURL)
  if (!exists(href)) return next(specifier, context)
  return { url: href, format: 'module', shortCircuit: true }
}

/** The modules that were found: most are imported by several others. */
const found = new Set()

function exists(href) {
  if (!found.has(href) && existsSync(new URL(href))) found.add(href)
  return found.has(href)
}

export function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context)
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true }
}

/** Whether a URL is a source of this project, and not a file of a project that a test wrote. */
function isTypeScript(url = '') {
  return url.startsWith(root) && /\.ts(\?|$)/.test(url) && !/\/(node_modules|\.tap)\//.test(url)
}

/** A file as JavaScript. It is cached under the path and the state of the source, so that the source is not read. */
function compiled(path) {
  // Every write and every replacement of a file changes the time of its inode, which no program can set.
  const { ctimeMs, ino, size } = statSync(path)
  const kept = `${cache}${hashOf([strips ? process.version : version, path, ctimeMs, ino, size])}.js`
  try {
    return readFileSync(kept, 'utf8')
  } catch {
    // It was not compiled yet.
  }
  const source = readFileSync(path, 'utf8')
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

const bundleOptions = {
  banner: { js: declareRequire },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
}

let bundles

/** The URL of the folder with the large packages, bundled. It is made once. */
function bundled() {
  bundles ??= pathToFileURL(join(bundleFolder(), 'node_modules')).href
  return bundles
}

function bundleFolder() {
  const packageFolder = fileURLToPath(new URL('node_modules', root))
  const entries = Object.values(large).map(({ entry, bundle }) => [bundle, join(packageFolder, entry)])
  const packages = new Set(['lodash', ...Object.keys(large).map((name) => name.split('/')[0])])
  const manifests = [...packages].map((name) =>
    readFileSync(join(packageFolder, name, 'package.json'), 'utf8'),
  )
  const options = {
    ...bundleOptions,
    alias: { 'async-hook-domain': domains },
    entryPoints: Object.fromEntries(entries),
    // Modules that several use, such as those of zod and its core, are shared.
    splitting: true,
  }
  const kept = `${cache}${hashOf([version, JSON.stringify(options), readFileSync(domains), ...manifests])}`
  if (existsSync(kept)) return kept
  const made = `${kept}.${process.pid}`
  require('esbuild').buildSync({ ...options, outdir: join(made, 'node_modules') })
  bundleLodash(join(made, 'node_modules/lodash'), join(packageFolder, 'lodash'))
  publish(made, kept)
  return kept
}

/** Writes a module with all functions of lodash, which run when they are first imported, and a module for each. */
function bundleLodash(folder, from) {
  const names = readdirSync(from).flatMap((file) => lodashFunction.exec(`lodash/${file}`)?.[1] ?? [])
  const members = names.map((name) => `${JSON.stringify(name)}: () => require('./${name}')`)
  const contents = `export const functions = {${members.join(',\n')}}`
  const outfile = join(folder, 'all/functions.js')
  require('esbuild').buildSync({ ...bundleOptions, outfile, stdin: { contents, resolveDir: from } })
  for (const name of names) {
    const text = `import { functions } from './all/functions.js'\nexport default functions['${name}']()\n`
    writeFileSync(join(folder, name), text)
  }
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
