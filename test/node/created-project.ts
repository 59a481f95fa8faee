import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { root } from '../dev-run.js'
import { packSdk } from '../packed-sdk.js'
import { run } from '../run-program.js'
import { buildImage } from './real-node.js'

/** A project that `create` wrote. */
export interface CreatedProject {
  /** Its image, built by all stages of its own Dockerfile. */
  readonly image: string
  readonly folder: string
  /** The output of `npm run --silent manifest` with arguments. */
  manifest(...args: string[]): Promise<string>
}

/** Creates a project, installs the packed SDK and the other packages by npm, and builds its image. */
export async function createdProject(
  t: Pick<Test, 'teardown'>,
  name: string,
  flags: readonly string[],
): Promise<CreatedProject> {
  const parent = await mkdtemp(join(tmpdir(), 'created-'))
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  const [folder, sdk] = [join(parent, name), `file:${await packSdk(parent)}`]
  await run(root, [process.execPath, 'bin/vcluster-plugin.js', 'create', folder, '--sdk', sdk, ...flags])
  await run(folder, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
  return {
    folder,
    image: await buildImage(`${name}:dev`, folder),
    manifest: (...args) => run(folder, ['npm', 'run', '--silent', 'manifest', '--', ...args]),
  }
}
