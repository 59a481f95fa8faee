import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildImage, runProgram } from './real-node.js'

/**
 * Builds the image of a program with a bundle that is made here, in seconds: the last stage of a target is built, and
 * the stage that it copies from replaced. {@link buildImage} builds all stages; the result is the same.
 */
export async function programImage(
  name: string,
  entry: string,
  { files = [], copies = {}, hasEngine = false, target = 'sidecar' }: ProgramImageOptions = {},
): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    const plugin = join(stage, 'plugin')
    await runProgram('node', ['bin/vcluster-plugin.js', 'bundle', entry, join(plugin, 'main.mjs')])
    if (hasEngine) await addEngine(plugin)
    for (const file of files) await runProgram('cp', ['-r', join(dirname(entry), file), plugin])
    for (const [from, to] of Object.entries(copies)) await runProgram('cp', ['-r', from, join(plugin, to)])
    if (target === 'in-syncer') await runProgram('node', ['bin/vcluster-plugin.js', 'runtime', plugin])
    const replaced = target === 'in-syncer' ? 'in-syncer-files' : 'bundle'
    return await buildImage(name, '.', '--target', target, '--build-context', `${replaced}=${stage}`)
  } finally {
    await rm(stage, { recursive: true })
  }
}

/** Options of {@link programImage}. */
export interface ProgramImageOptions {
  /** Files that the program reads, relative to the folder of its entry. Default: none. */
  files?: readonly string[]
  /** Other files that the program reads, with their names in the image. Default: none. */
  copies?: Readonly<Record<string, string>>
  /** Whether the image gets the engine of `HELM_ENGINE`, which a clone may not contain. Default: false. */
  hasEngine?: boolean
  /** The target of the Dockerfile. Default: sidecar. */
  target?: 'sidecar' | 'in-syncer'
}

/** Puts the engine next to the code that runs it. */
async function addEngine(plugin: string): Promise<void> {
  const thread = await runProgram('find', [plugin, '-name', 'engine-thread.mjs'])
  await runProgram('cp', [process.env.HELM_ENGINE ?? '', join(dirname(thread.trim()), 'helm.wasm.br')])
}
