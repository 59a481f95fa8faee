import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closestName } from '../terminal/closest-name.js'
import { shellWord } from '../terminal/shell-word.js'

/**
 * The sentence about a package that is not installed, with the command that installs it; undefined for any other error
 * message of Node.
 */
export function missingPackage(message: string): string | undefined {
  const [, name, importer] = /^Cannot find package '([^']+)' imported from (.+)$/m.exec(message) ?? []
  if (name === undefined || importer === undefined) return undefined
  const file = pathOf(importer)
  return `${file} imports the package ${name}, which is not installed; run ${installation(name, dirname(file))}`
}

/** The sentence about a file that is imported and does not exist; undefined for any other error message of Node. */
export function missingFile(message: string): string | undefined {
  const [, path, importer] = /^Cannot find module '([^']+)' imported from (.+)$/m.exec(message) ?? []
  if (path === undefined || importer === undefined) return undefined
  const file = pathOf(path)
  const near = nearFile(file)
  const cure = near === undefined ? 'correct the path in the import' : `did you mean ${near}?`
  return `${pathOf(importer)} imports ${file}, which does not exist; ${cure}`
}

/**
 * The name of the file in the same folder that was probably meant, as an import names it. Imports name the `.js` file
 * of a source in TypeScript.
 */
function nearFile(path: string): string | undefined {
  const names = namesIn(dirname(path)).map((name) => name.replace(/\.([cm]?)tsx?$/, '.$1js'))
  return closestName(basename(path), names)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The sentence about a name that is imported and not exported; undefined for any other error message of Node. */
export function missingExport(message: string): string | undefined {
  const [, module, name] =
    /^The requested module '([^']+)' does not provide an export named '([^']+)'/.exec(message) ?? []
  return name === undefined ? undefined : `${module} has no export ${name}; correct the name in the import`
}

const pathOf = (file: string) => (file.startsWith('file:') ? fileURLToPath(file) : file)

/** `npm install` for a package that the next package.json lists, else with the name of the package. */
function installation(name: string, folder: string): string {
  const project = projectOf(folder)
  const where = project === undefined ? '' : relative('.', project)
  const prefix = where === '' ? '' : ` --prefix ${shellWord(where)}`
  const isListed = project !== undefined && listedIn(project).includes(name)
  return `npm install${prefix}${isListed ? '' : ` ${name}`}`
}

/** The next folder upwards with a package.json. */
function projectOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : projectOf(parent)
}

/** The names of the packages that the package.json of a folder lists; none if it cannot be read. */
function listedIn(folder: string): string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return Object.keys({ ...dependencies, ...devDependencies })
  } catch {
    return []
  }
}
