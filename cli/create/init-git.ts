import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PluginError } from '../../sdk/engine/kube/error.js'

/**
 * Makes a git repository in a folder, with its files staged and nothing committed: the first commit needs a name and an
 * address. Throws `PluginError` `CANNOT_WRITE` if git fails or is not installed.
 */
export async function initGit(folder: string): Promise<void> {
  const git = async (...args: readonly string[]) => promisify(execFile)('git', [...args], { cwd: folder })
  try {
    await git('init', '--quiet', '--initial-branch=main')
    await git('add', '--all')
  } catch (cause) {
    const { stderr, code } = Object(cause)
    const why = code === 'ENOENT' ? 'git is not installed' : String(stderr || cause).trim()
    const message = `the project is written, but without a git repository: ${why}; run git init in ${folder}`
    throw new PluginError('CANNOT_WRITE', message, { cause })
  }
}
