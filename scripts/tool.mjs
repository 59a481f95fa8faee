// Runs a program of scripts/tools:  node scripts/tool.mjs biome format
// These are the programs that only checks and documents need, with packages of their own, so that `npm ci` of the
// project stays small. They are installed when the first is run, and again when their lockfile has changed. Without
// arguments they are only installed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, 'tools')
const lockfile = join(folder, 'package-lock.json')
/** npm's own record of what it has installed. */
const record = join(folder, 'node_modules/.package-lock.json')

/** The packages of a lockfile, without the entry of the project itself. */
function packagesOf(path) {
  try {
    const { packages } = JSON.parse(readFileSync(path, 'utf8'))
    return Object.entries(packages).filter(([name]) => name !== '')
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

/** Whether each installed package is one that the lockfile wants. Packages for other platforms are not installed. */
function isInstalled() {
  const wanted = new Map(packagesOf(lockfile))
  const installed = new Map(packagesOf(record))
  const isRight = ([name, { version, optional }]) =>
    installed.has(name) ? installed.get(name).version === version : optional === true
  return [...wanted].every(isRight) && [...installed.keys()].every((name) => wanted.has(name))
}

function run(program, flags, options) {
  const { status, error } = spawnSync(program, flags, { stdio: 'inherit', ...options })
  if (error) console.error(`${program} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

if (!isInstalled()) {
  console.error('npm ci --prefix scripts/tools, for the programs that check this project')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
}
const [program, ...flags] = process.argv.slice(2)
const pathVariable = [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter)
if (program) run(program, flags, { env: { ...process.env, PATH: pathVariable } })
