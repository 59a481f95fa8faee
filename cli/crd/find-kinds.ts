import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { describeLimit, longerLimit } from '../program/describe-limit.js'
import { spawnPlugin } from '../program/plugin-process.js'
import { runsFromSources } from '../program/typescript-flags.js'
import { linePrefix, type PrintedKind } from './printed-kind.js'

/** The modules that a folder may keep its kinds in, in the order in which they are tried. */
const candidates = ['kinds.ts', 'kind.ts', 'src/kinds.ts', 'kinds.js']

/**
 * Loads the kinds that a module exports. Throws `PluginError` `NO_KINDS` if there is no module, or it exports none, and
 * `INVALID_KIND` if it fails.
 */
export async function findKinds(path: string): Promise<PrintedKind[]> {
  const module = await findModule(path)
  const limit = describeLimit(process.env)
  let line: string | undefined
  const child = spawnPlugin({
    entry: fileURLToPath(new URL(`./print-kinds.${runsFromSources ? 'ts' : 'js'}`, import.meta.url)),
    env: { VCLUSTER_PLUGIN_KINDS: module },
    onLine: (text) => {
      if (text.startsWith(linePrefix)) line = text.slice(linePrefix.length)
    },
  })
  const tooLate = setTimeout(() => child.kill(), limit * 1000)
  const { failure } = await child.exited
  clearTimeout(tooLate)
  if (line === undefined) {
    throw new PluginError(
      'INVALID_KIND',
      `${path} cannot be loaded: ${failure?.message ?? `it did not end ${longerLimit(limit)}`}`,
    )
  }
  const kinds: PrintedKind[] = JSON.parse(line)
  if (kinds.length > 0) return kinds
  throw new PluginError('NO_KINDS', `${path} exports no kind; export what defineKind returns`)
}

/** The module that a path names; in a folder `vcluster-plugin.kinds` of package.json, or one of the usual names. */
async function findModule(path: string): Promise<string> {
  if (await isFile(path)) return resolve(path)
  const declaredModule = await namedModule(join(path, 'package.json'))
  const names = declaredModule === undefined ? candidates : [declaredModule]
  for (const name of names) if (await isFile(join(path, name))) return resolve(path, name)
  throw new PluginError(
    'NO_KINDS',
    `${path} has no ${names.join(' or ')}; name the module that exports your kinds, or set "vcluster-plugin": { "kinds": … } in package.json`,
  )
}

async function isFile(path: string): Promise<boolean> {
  const fileInfo = await stat(path).catch(() => undefined)
  return fileInfo?.isFile() ?? false
}

async function namedModule(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const { kinds } = Object(Object(JSON.parse(text))['vcluster-plugin'])
    return typeof kinds === 'string' ? kinds : undefined
  } catch (error) {
    throw new PluginError('NO_KINDS', `${file} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
