/**
 * `vcluster-plugin runtime`: adds Node and its libraries to a folder with a plugin's bundle, to run it in vcluster's
 * own container, which has neither Node nor glibc.
 *
 * The result needs only a shell from its image. The init container of the generated values copies it to vcluster's
 * container. See docs/adr/0016.
 */
import { execFile } from 'node:child_process'
import { access, chmod, copyFile, realpath, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { makeFolder } from '../machine/make-folder.js'
import { nodeFlags } from '../program/node-flags.js'

// `$0` is the path that vcluster starts, so the folder can be anywhere. The copied loader runs Node and finds the
// libraries next to it. A plugin must not start Node by `process.execPath`, because that is the loader. For the
// settings see docs/adr/0023.
const launcher = `#!/bin/sh
here=\${0%/*}
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
exec "$here/runtime/loader" --library-path "$here/runtime" "$here/runtime/node" ${nodeFlags.join(' ')} "$here/main.mjs" "$@"
`

/**
 * Copies the running Node with its dynamic loader and libraries to `folder/runtime`, and writes `folder/plugin`, the
 * program that vcluster starts. Throws `PluginError` `NO_BUNDLE` if the folder has no `main.mjs`, or `NO_RUNTIME` if
 * this Node cannot be copied.
 */
export async function copyRuntime(folder: string): Promise<void> {
  await access(join(folder, 'main.mjs')).catch(() => {
    throw new PluginError(
      'NO_BUNDLE',
      `${folder} has no main.mjs; run this first: vcluster-plugin bundle . ${join(folder, 'main.mjs')}`,
    )
  })
  const { loader, libraries } = await loaderAndLibraries(process.execPath)
  const runtime = resolve(folder, 'runtime')
  await makeFolder(runtime)
  await copyExecutable(process.execPath, join(runtime, 'node'))
  await copyExecutable(loader, join(runtime, 'loader'))
  for (const library of libraries) await copyExecutable(library, join(runtime, basename(library)))
  const program = join(folder, 'plugin')
  await writeFile(program, launcher)
  await chmod(program, 0o755)
  console.log(`${program}  Node ${process.versions.node}, ${libraries.length} libraries`)
}

/** The dynamic loader of a program and its libraries, from `ldd`. */
async function loaderAndLibraries(program: string): Promise<{ loader: string; libraries: string[] }> {
  if (process.platform !== 'linux')
    throw noRuntimeError(`this works on Linux only, not on ${process.platform}`)
  const { stdout } = await promisify(execFile)('ldd', [program])
  const lines = stdout.split('\n')
  const libraries = lines.flatMap((line) => /=> (\/\S+)/.exec(line)?.[1] ?? [])
  const [loader] = lines.flatMap((line) => /^\s*(\/\S*ld-linux\S*)/.exec(line)?.[1] ?? [])
  if (loader !== undefined) return { loader, libraries }
  throw noRuntimeError(`${program} is not built for glibc; use a Node from nodejs.org or Debian`)
}

function noRuntimeError(reason: string): PluginError {
  return new PluginError('NO_RUNTIME', `cannot copy the runtime: ${reason}`)
}

async function copyExecutable(from: string, to: string): Promise<void> {
  await copyFile(await realpath(from), to)
  await chmod(to, 0o755)
}
