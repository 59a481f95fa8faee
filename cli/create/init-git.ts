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
    const [reason] = String(stderr || cause)
      .trim()
      .split('\n')
    const why = code === 'ENOENT' ? 'git is not installed; install it' : `${reason}; correct that`
    const message = `the project in ${folder} is written, but its git repository is not complete: ${why}, then run git init and git add --all there`
    throw new PluginError('CANNOT_WRITE', message, { cause })
  }
}
