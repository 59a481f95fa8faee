import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { findPlugin } from '../program/find-plugin.js'
import { typescriptFlags } from '../program/typescript-flags.js'
import { UsageError } from '../terminal/usage-error.js'

/** Options of `vcluster-plugin test`. */
export interface TestRunOptions {
  /** The plugin's folder. */
  folder: string
  /** Runs the tests again when a source file changes. */
  watch: boolean
  /** Regular expression for the titles of tests to run; default all. */
  only: string | undefined
}

/** Runs a plugin's tests. Throws `UsageError`, or `PluginError`: `NO_PLUGIN`, `NO_TESTS`, or `TESTS_FAILED`. */
export async function runTests({ folder, watch, only: namePattern }: TestRunOptions): Promise<void> {
  checkPattern(namePattern)
  const { path } = await findPlugin(folder)
  const files = await testFiles(path)
  if (files.length === 0)
    throw new PluginError('NO_TESTS', `there are no tests in ${folder}; add a NAME.test.ts next to the code`)
  const args = [
    ...typescriptFlags(),
    '--test',
    ...(watch ? ['--watch'] : []),
    ...(namePattern === undefined ? [] : [`--test-name-pattern=${namePattern}`]),
    ...files,
  ]
  const [code, signal] = await once(spawn(process.execPath, args, { cwd: path, stdio: 'inherit' }), 'exit')
  if (code === 0) return
  throw new PluginError(
    'TESTS_FAILED',
    `the tests of ${folder} failed with ${signal ?? `status ${code}`}; see their output above`,
  )
}

/** Throws `UsageError` for a pattern that Node's test runner would refuse, with its stack: a text or `/text/flags`. */
function checkPattern(only = ''): void {
  const [, text = only, flags] = /^\/(.*)\/([a-z]*)$/.exec(only) ?? []
  try {
    new RegExp(text, flags)
  } catch (error) {
    const why = (error as Error).message.split(': ').at(-1)
    throw new UsageError(`--only must be a regular expression, got ${JSON.stringify(only)}: ${why}`)
  }
}

const ignoredFolders = ['node_modules', 'dist', '.tap']

/** The paths of the tests in a folder. */
async function testFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.test\.[jt]s$/.test(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .filter((file) => !file.split(/[/\\]/).some((folder) => ignoredFolders.includes(folder)))
    .sort()
}
