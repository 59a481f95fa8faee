import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './dev-run.js'
import { run } from './run-program.js'

/** Packs the SDK as `npm pack` does, in a folder of its own, so that nothing here changes. Answers the tarball's path. */
export async function packSdk(stage: string): Promise<string> {
  await mkdir(stage)
  for (const file of ['bin', 'package.json', 'README.md', 'LICENSE'])
    await cp(join(root, file), join(stage, file), { recursive: true })
  // Types are checked elsewhere; here they are only written.
  await run(root, ['tsc', '-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(stage, 'dist')])
  const [{ filename = '' } = {}] = JSON.parse(
    await run(stage, ['npm', 'pack', '--ignore-scripts', '--json']),
  ) as { filename?: string }[]
  return join(stage, filename)
}
