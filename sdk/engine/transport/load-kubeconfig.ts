import { dirname, resolve } from 'node:path'
import { PluginError } from '../kube/error.js'
import { readTextFile, whyUnreadable } from '../kube/read-text-file.js'
import type { Kubeconfig } from './kubeconfig.js'
import { parseKubeconfig } from './kubeconfig-text.js'
import { resolveContext } from './resolve-context.js'

/** The largest kubeconfig that is read; a kubeconfig of some hundred clusters has a fifth of this size. */
const maxKubeconfigBytes = 4 * 2 ** 20

/** Options of {@link loadKubeconfig}: either `file` or `text`. */
export interface LoadKubeconfigOptions {
  /** Path of the file. */
  file?: string
  /** The text itself. */
  text?: string
  /** The origin of `text` for messages; default `kubeconfig`. */
  source?: string
  /** The context to use; default the file's `current-context`. */
  context?: string
}

/**
 * Reads one context of a kubeconfig. Relative paths in a file are relative to that file.
 *
 * @throws `PluginError` with code `INVALID_KUBECONFIG` that names the file, the line where there is one, and what to do
 */
export async function loadKubeconfig({
  file,
  text,
  source = file === undefined ? 'kubeconfig' : `kubeconfig ${file}`,
  context,
}: LoadKubeconfigOptions): Promise<Kubeconfig> {
  const content = text ?? (await readText(source, file))
  const document = await parseKubeconfig(source, content)
  const directory = file === undefined ? undefined : dirname(resolve(file))
  return resolveContext(document, { source, directory, context })
}

/** The text of a kubeconfig file; rejects as {@link readTextFile}. */
export function readKubeconfigFile(file: string): Promise<string> {
  return readTextFile(file, { maxBytes: maxKubeconfigBytes })
}

const problemOf = (why: string) => (why === 'ENOENT' ? 'does not exist' : `cannot be read (${why})`)

async function readText(source: string, file: string | undefined): Promise<string> {
  if (file === undefined)
    throw new PluginError('INVALID_KUBECONFIG', 'loadKubeconfig needs a file or a text.')
  try {
    return await readKubeconfigFile(file)
  } catch (error) {
    throw new PluginError(
      'INVALID_KUBECONFIG',
      `${source} ${problemOf(whyUnreadable(error))}; check the path and KUBECONFIG.`,
      { cause: error },
    )
  }
}
