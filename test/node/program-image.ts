import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImage, runProgram } from './real-node.js'

/**
 * Builds the image of a program with a bundle that is made here, in seconds: the last stage of a target is built, and
 * the stage that it copies from replaced. {@link buildImage} builds all stages; the result is the same, to the byte.
 */
export async function programImage(
  name: string,
  entry: string,
  { files = [], target = 'sidecar' }: ProgramImageOptions = {},
): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    const plugin = join(stage, 'plugin')
    await runProgram('node', ['bin/vcluster-plugin.js', 'bundle', entry, join(plugin, 'main.mjs')])
    for (const file of files) await runProgram('cp', ['-r', join(entry, '..', file), plugin])
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
  /** The target of the Dockerfile. Default: sidecar. */
  target?: 'sidecar' | 'in-syncer'
}
